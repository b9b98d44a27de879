import { adoptTasks } from './adopt-task.ts';
import { choiceTasks } from './choice-tasks.ts';
import { dataTasks } from './data-tasks.ts';
import { referenceTasks } from './reference-tasks.ts';
import { scoreTasks } from './score-tasks.ts';
import { warmUpTasks } from './warm-up.ts';

const createTasks = { ...dataTasks, ...scoreTasks, ...choiceTasks };

/**
 * What the worker threads of the activities do. Payloads and results cross by structured clone; feature tables are
 * shared memory.
 */
export const tasks = { ...createTasks, ...adoptTasks, ...referenceTasks, ...warmUpTasks(createTasks) };
