export { EegTaskClassifier } from './client.ts';
export {
  ApiError,
  AuthenticationError,
  BillingError,
  ConflictError,
  ConnectionError,
  EegError,
  InvalidRequestError,
  NotFoundError,
  PartialPredictionError,
  PermissionError,
  PreparationError,
  RateLimitError,
  RefusedError,
  ServiceUnavailableError,
  UploadError,
} from './errors.ts';
export { limits } from './limits.ts';
export type { CreateOptions } from './create.ts';
export type { BatchesOptions, UploadProgress } from './deferred.ts';
export type { ListOptions, Models } from './models.ts';
export type { PredictOptions } from './predict.ts';
export type { BatchInput, CreateInput, PredictInput, ZeroShotInput } from './requests.ts';
export type { ClientOptions, RequestOptions } from './transport.ts';
export type { NestedTrials, TrialsInput } from './trials.ts';
export type * from './schema-types.ts';
export type { ZeroShotOptions } from './zero-shot.ts';
