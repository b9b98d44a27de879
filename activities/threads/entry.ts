import { serveTasks } from '../../infra/threads/serve.ts';
import { tasks } from './tasks.ts';

serveTasks(tasks);
