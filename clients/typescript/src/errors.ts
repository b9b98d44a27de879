import type { ErrorObject, PredictionList } from './types.ts';

/** What an error may say beside its code and message. */
export interface ErrorFacts {
  readonly type?: string;
  /** HTTP status; 0 where there was no answer. */
  readonly status?: number;
  /** The part of the request at fault. */
  readonly field?: string | null;
  /** Fixes, most useful first: a value to send as `field`, an object to merge into the body, or words. */
  readonly alternatives?: readonly unknown[];
  readonly details?: Readonly<Record<string, unknown>>;
  readonly requestId?: string | null;
  /** Seconds until the service asks to be asked again; null where it does not. */
  readonly retryAfter?: number | null;
  /** Under which the request was sent: the same request with it is answered once and billed once. */
  readonly idempotencyKey?: string | null;
  readonly cause?: unknown;
}

/** Anything that this client throws about the service. `code` is what to switch on. */
export class EegError extends Error {
  override readonly name: string = 'EegError';
  readonly code: string;
  readonly type: string;
  readonly status: number;
  readonly field: string | null;
  readonly alternatives: readonly unknown[];
  readonly details: Readonly<Record<string, unknown>>;
  readonly requestId: string | null;
  readonly retryAfter: number | null;
  readonly idempotencyKey: string | null;

  constructor(code: string, message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = code;
    this.type = facts.type ?? 'client_error';
    this.status = facts.status ?? 0;
    this.field = facts.field ?? null;
    this.alternatives = facts.alternatives ?? [];
    this.details = facts.details ?? {};
    this.requestId = facts.requestId ?? null;
    this.retryAfter = facts.retryAfter ?? null;
    this.idempotencyKey = facts.idempotencyKey ?? null;
  }
}

/** 401: no key, or one that is malformed, revoked or expired. */
export class AuthenticationError extends EegError {
  override readonly name = 'AuthenticationError';
}
/** 403: what the key or the account may not do. */
export class PermissionError extends EegError {
  override readonly name = 'PermissionError';
}
/**
 * 413 and 422: `field` names the part of the request at fault, `alternatives` how to mend it. `details.quota` names a full
 * quota of the account.
 */
export class InvalidRequestError extends EegError {
  override readonly name = 'InvalidRequestError';
}
/** 404: no such task model; `details.status` says whether it is `expired` or `deleted`. */
export class NotFoundError extends EegError {
  override readonly name = 'NotFoundError';
}
/** 409: a request with the same Idempotency-Key is still running. */
export class ConflictError extends EegError {
  override readonly name = 'ConflictError';
}
/** 429: too many requests, or a cap of the account. */
export class RateLimitError extends EegError {
  override readonly name = 'RateLimitError';
}
/** 402: the balance or a spending cap does not cover the request. */
export class BillingError extends EegError {
  override readonly name = 'BillingError';
}
/** 503: starting, at capacity or in maintenance. */
export class ServiceUnavailableError extends EegError {
  override readonly name = 'ServiceUnavailableError';
}
/** 500 and 502, and answers that are not the service's. */
export class ApiError extends EegError {
  override readonly name = 'ApiError';
}

/** There was no answer: `code` is `CONNECTION_FAILED` or `TIMEOUT`. */
export class ConnectionError extends EegError {
  override readonly name = 'ConnectionError';
}
/** This client did not send the request: what is wrong with it would have cost a request, money or a key. */
export class RefusedError extends EegError {
  override readonly name = 'RefusedError';
}
/** Reference recordings cannot be prepared, or were not within the time given. */
export class PreparationError extends EegError {
  override readonly name = 'PreparationError';
}

/** Sending trials in batches ended early. `cause` is why. */
export class UploadError extends EegError {
  override readonly name = 'UploadError';
  /** The collecting model that was left, because it was paid for or could not be deleted; null where none was. */
  readonly modelId: string | null;
  readonly paidUsd: string;
  readonly trialsDone: number;

  constructor(
    message: string,
    left: { readonly modelId: string | null; readonly paidUsd: string; readonly trialsDone: number },
    facts: ErrorFacts,
  ) {
    super('UPLOAD_INCOMPLETE', message, facts);
    this.modelId = left.modelId;
    this.paidUsd = left.paidUsd;
    this.trialsDone = left.trialsDone;
  }
}

/** Labelling trials in several requests ended early. `predictions` holds the answers before; `cause` is why. */
export class PartialPredictionError extends EegError {
  override readonly name = 'PartialPredictionError';
  readonly predictions: PredictionList;

  constructor(message: string, predictions: PredictionList, facts: ErrorFacts) {
    super('PREDICTIONS_INCOMPLETE', message, facts);
    this.predictions = predictions;
  }
}

type ErrorClass = new (code: string, message: string, facts: ErrorFacts) => EegError;

const classOf: Readonly<Record<string, ErrorClass>> = {
  authentication_error: AuthenticationError,
  permission_error: PermissionError,
  invalid_request_error: InvalidRequestError,
  not_found_error: NotFoundError,
  conflict_error: ConflictError,
  rate_limit_error: RateLimitError,
  billing_error: BillingError,
  service_unavailable_error: ServiceUnavailableError,
  api_error: ApiError,
};

const isErrorObject = (body: unknown): body is ErrorObject =>
  typeof body === 'object' && body !== null && typeof (body as Partial<ErrorObject>).code === 'string';

/** The error of an answer; one that is not the service's (a proxy's page) is an ApiError with the code `HTTP_…`. */
export function errorOf(
  { status, headers }: Response,
  body: unknown,
  retryAfter: number | null,
  idempotencyKey: string | null,
): EegError {
  const requestId = headers.get('x-request-id');
  const sent = { status, retryAfter, idempotencyKey, requestId };
  if (!isErrorObject(body)) return new ApiError(`HTTP_${status}`, `The answer ${status} is not the service's.`, sent);
  const { code, message, type, field, alternatives, details } = body;
  const Class = Object.hasOwn(classOf, type) ? classOf[type] : ApiError;
  return new Class(code, message, {
    ...sent,
    type,
    field,
    alternatives,
    details,
    requestId: details?.request_id ?? requestId,
  });
}

/** What goes on from one error into another that is about the same. */
export function factsOf(cause: unknown): ErrorFacts {
  if (!(cause instanceof EegError)) return { cause };
  const { type, status, field, alternatives, details, requestId, retryAfter, idempotencyKey } = cause;
  return { type, status, field, alternatives, details, requestId, retryAfter, idempotencyKey, cause };
}
