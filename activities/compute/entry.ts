import { serveTasks } from '../../infra/drivers/threads/serve.ts';
import { tasks } from './tasks.ts';

serveTasks(tasks);
