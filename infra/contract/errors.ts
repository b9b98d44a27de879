import { limits } from './limits.ts';
import { count } from './quote.ts';

/** The one table of public errors (spec, "Errors" and "Authentication errors"; design, "code → type"). */
export type ErrorType =
  | 'authentication_error'
  | 'permission_error'
  | 'invalid_request_error'
  | 'not_found_error'
  | 'conflict_error'
  | 'rate_limit_error'
  | 'billing_error'
  | 'service_unavailable_error'
  | 'api_error';

interface ErrorRow {
  readonly status: number;
  readonly type: ErrorType;
  /** One sentence for the documentation page. */
  readonly meaning: string;
  /** Whether a client should send the same request again (spec, "Retry rules"). */
  readonly retry: boolean;
  /** Whether the answer carries Retry-After. */
  readonly retryAfter: boolean;
}

const row = (status: number, type: ErrorType, meaning: string, retry = false, retryAfter = false): ErrorRow => ({
  status,
  type,
  meaning,
  retry,
  retryAfter,
});

export const errorTable = {
  UNAUTHENTICATED: row(401, 'authentication_error', 'No key, a malformed key, or a key that does not exist.'),
  KEY_REVOKED: row(401, 'authentication_error', 'The key was revoked.'),
  KEY_EXPIRED: row(401, 'authentication_error', 'The key passed its expiry date.'),
  INSUFFICIENT_CREDIT: row(402, 'billing_error', 'The prepaid balance is too low.'),
  BUDGET_EXCEEDED: row(
    402,
    'billing_error',
    "The account's own daily or monthly spending cap is reached; a person raises it.",
  ),
  SCOPE_MISSING: row(403, 'permission_error', 'The key lacks the permission this endpoint needs.'),
  TENANT_SUSPENDED: row(403, 'permission_error', 'The account is paused, usually after a failed payment.'),
  IP_NOT_ALLOWED: row(403, 'permission_error', 'The key is restricted to other IP addresses.'),
  CLASSIFIER_NOT_FOUND: row(404, 'not_found_error', 'No such task model on the account, or it is expired or deleted.'),
  NOT_FOUND: row(404, 'not_found_error', 'Unknown endpoint, or an id that does not exist or is not yours.'),
  CONFLICT: row(409, 'conflict_error', 'A request with the same Idempotency-Key is still running.', true, true),
  PAYLOAD_TOO_LARGE: row(
    413,
    'invalid_request_error',
    `More than ${count(limits.numbersPerRequest)} numbers as sent or after resampling, ` +
      `a body over ${limits.bodyBytes / 1024 / 1024} MiB, or a prediction whose answer could exceed ` +
      `${limits.answerBytes / 1024 / 1024} MiB. Or a quota of the account is full.`,
  ),
  INVALID_REQUEST: row(
    422,
    'invalid_request_error',
    'The request failed validation; `details.errors` lists every failing field.',
  ),
  TOO_FEW_TRIALS: row(
    422,
    'invalid_request_error',
    `Fewer than ${limits.minClasses} classes, or fewer than ${limits.minTrialsPerClass} trials in a class.`,
  ),
  CLASSIFIER_FIT_FAILED: row(
    422,
    'invalid_request_error',
    'No method could be fitted on these trials; nothing was charged.',
  ),
  UNITS_REQUIRED: row(422, 'invalid_request_error', '`units` must be uV, mV or V: the unit the numbers are really in.'),
  IDEMPOTENCY_KEY_REUSED: row(
    422,
    'invalid_request_error',
    'The Idempotency-Key was used before with a different request.',
  ),
  TASK_UNSUPPORTED: row(422, 'invalid_request_error', 'The task is of a kind this service refuses.'),
  NO_REFERENCE_DATA: row(422, 'invalid_request_error', 'No reference recordings match this zero-shot task.'),
  RATE_LIMITED: row(429, 'rate_limit_error', 'Too many requests in one second or in ten seconds.', true, true),
  CONCURRENCY_LIMITED: row(429, 'rate_limit_error', 'Too many requests in flight, or too many fits.', true, true),
  USAGE_CAP_EXCEEDED: row(
    429,
    'rate_limit_error',
    'A daily or monthly usage cap or a daily allowance (estimates, test keys) is used up.',
    false,
    true,
  ),
  INTERNAL: row(500, 'api_error', 'A fault of the service; nothing was charged.', true),
  BACKEND_FAILURE: row(502, 'api_error', 'The model failed on the service side; nothing was charged.', true),
  POOL_UNAVAILABLE: row(
    503,
    'service_unavailable_error',
    'The model is starting or briefly unreachable, or the request was given up.',
    true,
    true,
  ),
  POOL_SATURATED: row(503, 'service_unavailable_error', 'The service is at capacity.', true, true),
  SERVING_DISABLED: row(503, 'service_unavailable_error', 'The service is paused for maintenance.', true, true),
  BILLING_UNAVAILABLE: row(503, 'service_unavailable_error', 'Billing is briefly unavailable.', true, true),
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof errorTable;

/** A change of a request: fields to merge into its body, query or headers. Null removes a field. */
export type Change = Readonly<Record<string, unknown>>;

/** One failing field of an INVALID_REQUEST answer. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
  /** Fixes, most useful first: a `Change`, or the value to send as `field`. Answers contain only changes. */
  readonly alternatives?: readonly unknown[];
}

export interface ErrorOptions {
  /** The invalid part of the request; default: none, `""`. */
  readonly field?: string;
  /** Fixes of the request, most useful first. */
  readonly alternatives?: readonly Change[];
  /** What a person can do, as sentences. They are added to the message. */
  readonly advice?: readonly string[];
  /** Further keys of `details` (never signals or secrets). */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/** Content of `details.errors` of an INVALID_REQUEST without a list: the error itself. */
const onlyError = ({ field, message, alternatives }: ApiError): FieldError => ({
  field: field || 'request',
  message,
  alternatives,
});

/** An error the caller sees. Anything else that is thrown becomes INTERNAL. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly field: string;
  readonly alternatives: readonly Change[];
  readonly details: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super([message, ...(options.advice ?? [])].join(' '), { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.field = options.field ?? '';
    this.alternatives = options.alternatives ?? [];
    this.details = { ...(code === 'INVALID_REQUEST' ? { errors: [onlyError(this)] } : {}), ...options.details };
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return errorTable[this.code].status;
  }
}

/** The public error body (spec, "Errors"). */
export function errorBody(error: ApiError, requestId: string) {
  return {
    type: errorTable[error.code].type,
    code: error.code,
    message: error.message,
    field: error.field,
    alternatives: error.alternatives,
    details: { ...error.details, request_id: requestId },
  };
}
