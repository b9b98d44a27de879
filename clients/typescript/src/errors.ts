import type { ErrorObject, PredictionList } from './schema-types.ts';

/** Fields of an error besides its code and message. */
export interface ErrorFields {
  readonly type?: string;
  /** HTTP status; 0 if there was no answer. */
  readonly status?: number;
  /** The part of the request that is wrong; empty: no part is. */
  readonly field?: string;
  /** Fixes, most useful first: fields to merge into the request. Null removes a field. */
  readonly alternatives?: readonly Readonly<Record<string, unknown>>[];
  readonly details?: Readonly<Record<string, unknown>>;
  readonly requestId?: string | null;
  /** Seconds of the Retry-After header; null if the answer has none. */
  readonly retryAfter?: number | null;
  /** Idempotency-Key of the request. The service runs and charges a request with the same key once. */
  readonly idempotencyKey?: string | null;
  readonly cause?: unknown;
}

/** Base class of every error of this client. `code` is the stable identifier for programs. */
export class EegError extends Error {
  override readonly name: string = 'EegError';
  readonly code: string;
  readonly type: string;
  readonly status: number;
  readonly field: string;
  readonly alternatives: readonly Readonly<Record<string, unknown>>[];
  readonly details: Readonly<Record<string, unknown>>;
  readonly requestId: string | null;
  readonly retryAfter: number | null;
  readonly idempotencyKey: string | null;

  constructor(code: string, message: string, fields: ErrorFields = {}) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause });
    this.code = code;
    this.type = fields.type ?? 'client_error';
    this.status = fields.status ?? 0;
    this.field = fields.field ?? '';
    this.alternatives = fields.alternatives ?? [];
    this.details = fields.details ?? {};
    this.requestId = fields.requestId ?? null;
    this.retryAfter = fields.retryAfter ?? null;
    this.idempotencyKey = fields.idempotencyKey ?? null;
  }
}

/** 401: the key is missing, malformed, revoked or expired. */
export class AuthenticationError extends EegError {
  override readonly name = 'AuthenticationError';
}
/** 403: the key or the account may not do this. */
export class PermissionError extends EegError {
  override readonly name = 'PermissionError';
}
/**
 * 413 and 422: the request is not valid. `field` names the wrong part, `alternatives` are fixes. `details.quota` names
 * a full quota of the account.
 */
export class InvalidRequestError extends EegError {
  override readonly name = 'InvalidRequestError';
}
/** 404: there is no such task model. `details.status` is `expired` or `deleted` if there was one. */
export class NotFoundError extends EegError {
  override readonly name = 'NotFoundError';
}
/** 409: a request with the same Idempotency-Key is still running. */
export class ConflictError extends EegError {
  override readonly name = 'ConflictError';
}
/** 429: too many requests, or a usage cap of the account. */
export class RateLimitError extends EegError {
  override readonly name = 'RateLimitError';
}
/** 402: the balance or a spending cap does not cover the request. */
export class BillingError extends EegError {
  override readonly name = 'BillingError';
}
/** 503: the service is starting, busy or in maintenance. */
export class ServiceUnavailableError extends EegError {
  override readonly name = 'ServiceUnavailableError';
}
/** 500 and 502, and answers that do not come from the service, such as the page of a proxy. */
export class ApiError extends EegError {
  override readonly name = 'ApiError';
}

/** There was no answer: `code` is `CONNECTION_FAILED` or `TIMEOUT`. */
export class ConnectionError extends EegError {
  override readonly name = 'ConnectionError';
}
/** The client did not send the request, because it is not valid, too expensive or not safe. */
export class RefusedError extends EegError {
  override readonly name = 'RefusedError';
}
/** Reference recordings cannot be prepared, or not in time. */
export class PreparationError extends EegError {
  override readonly name = 'PreparationError';
}

/** An upload in batches stopped early. `cause` is the error. */
export class UploadError extends EegError {
  override readonly name = 'UploadError';
  /** The collecting model that stays, because its batches are paid or it could not be deleted; otherwise null. */
  readonly modelId: string | null;
  readonly paidUsd: string;
  readonly trialsDone: number;

  constructor(
    message: string,
    unfinished: { readonly modelId: string | null; readonly paidUsd: string; readonly trialsDone: number },
    fields: ErrorFields,
  ) {
    super('UPLOAD_INCOMPLETE', message, fields);
    this.modelId = unfinished.modelId;
    this.paidUsd = unfinished.paidUsd;
    this.trialsDone = unfinished.trialsDone;
  }
}

/** A later one of several prediction requests failed. `predictions` has the answers before; `cause` is the error. */
export class PartialPredictionError extends EegError {
  override readonly name = 'PartialPredictionError';
  readonly predictions: PredictionList;

  constructor(message: string, predictions: PredictionList, fields: ErrorFields) {
    super('PREDICTIONS_INCOMPLETE', message, fields);
    this.predictions = predictions;
  }
}

type ErrorClass = new (code: string, message: string, fields: ErrorFields) => EegError;

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

/** The error of a job that has failed, as its request would have thrown it. */
export function errorFrom({ code, message, type, field, alternatives, details }: ErrorObject): EegError {
  const Class = Object.hasOwn(classOf, type) ? classOf[type] : ApiError;
  return new Class(code, message, { type, field, alternatives, details, requestId: details.request_id });
}

/**
 * The error for an unsuccessful answer. If it does not come from the service, it is an ApiError with the code `HTTP_…`.
 */
export function errorOf(
  { status, headers }: Response,
  body: unknown,
  retryAfter: number | null,
  idempotencyKey: string | null,
): EegError {
  const requestId = headers.get('x-request-id');
  const sent = { status, retryAfter, idempotencyKey, requestId };
  if (!isErrorObject(body)) {
    const message = `The answer with status ${status} does not come from the service. Check baseUrl and any proxy.`;
    return new ApiError(`HTTP_${status}`, message, sent);
  }
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

/** Fields of an error, for a new error with this one as its cause. */
export function fieldsOf(cause: unknown): ErrorFields {
  if (!(cause instanceof EegError)) return { cause };
  const { type, status, field, alternatives, details, requestId, retryAfter, idempotencyKey } = cause;
  return { type, status, field, alternatives, details, requestId, retryAfter, idempotencyKey, cause };
}
