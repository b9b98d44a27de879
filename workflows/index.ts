export { taskModel } from './task-model.ts';
export { fitReference } from './fit-reference.ts';
export { fitTaskModel } from './fit-task-model.ts';
export { prepareReference } from './prepare-reference.ts';
export { reconcile } from './reconcile.ts';
export { reconcileStep } from './reconcile-step.ts';
