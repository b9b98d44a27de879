import { serveTasks } from '../../infra/drivers/threads/serve.ts';
import { freeMemory } from '../../ml/kernels/index.ts';
import { forgetJobs } from './job.ts';
import { tasks } from './tasks.ts';
import { warmUpTasks } from './warm-up.ts';

serveTasks({ ...tasks, ...warmUpTasks(tasks) }, () => {
  forgetJobs();
  freeMemory();
});
