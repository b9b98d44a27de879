export { taskModel } from './task-model.ts';
export { fitTaskModel } from './fit-task-model.ts';
export { reconcile } from './reconcile.ts';
