import { ApiError } from './errors.ts';
import { brief } from './quote.ts';
import type { TaskModelStatus } from './task-model.ts';

/** The error for a model that does not exist for this caller, or has ended with `status`. */
export function modelNotFound(id: string, status?: TaskModelStatus): ApiError {
  const shown = brief(id, 60);
  const message = status
    ? `The task model ${shown} is ${status}; GET /v1/task-models lists those that can be used.`
    : `There is no task model ${shown} on the account that this key can see; GET /v1/task-models lists them.`;
  return new ApiError('CLASSIFIER_NOT_FOUND', message, {
    field: 'model_id',
    details: status ? { status } : {},
  });
}
