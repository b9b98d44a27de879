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
export declare class EegError extends Error {
    readonly name: string;
    readonly code: string;
    readonly type: string;
    readonly status: number;
    readonly field: string;
    readonly alternatives: readonly Readonly<Record<string, unknown>>[];
    readonly details: Readonly<Record<string, unknown>>;
    readonly requestId: string | null;
    readonly retryAfter: number | null;
    readonly idempotencyKey: string | null;
    constructor(code: string, message: string, fields?: ErrorFields);
}
/** 401: the key is missing, malformed, revoked or expired. */
export declare class AuthenticationError extends EegError {
    readonly name = "AuthenticationError";
}
/** 403: the key or the account may not do this. */
export declare class PermissionError extends EegError {
    readonly name = "PermissionError";
}
/**
 * 413 and 422: the request is not valid. `field` names the wrong part, `alternatives` are fixes. `details.quota` names
 * a full quota of the account.
 */
export declare class InvalidRequestError extends EegError {
    readonly name = "InvalidRequestError";
}
/** 404: there is no such task model. `details.status` is `expired` or `deleted` if there was one. */
export declare class NotFoundError extends EegError {
    readonly name = "NotFoundError";
}
/** 409: a request with the same Idempotency-Key is still running. */
export declare class ConflictError extends EegError {
    readonly name = "ConflictError";
}
/** 429: too many requests, or a usage cap of the account. */
export declare class RateLimitError extends EegError {
    readonly name = "RateLimitError";
}
/** 402: the balance or a spending cap does not cover the request. */
export declare class BillingError extends EegError {
    readonly name = "BillingError";
}
/** 503: the service is starting, busy or in maintenance. */
export declare class ServiceUnavailableError extends EegError {
    readonly name = "ServiceUnavailableError";
}
/** 500 and 502, and answers that do not come from the service, such as the page of a proxy. */
export declare class ApiError extends EegError {
    readonly name = "ApiError";
}
/** There was no answer: `code` is `CONNECTION_FAILED` or `TIMEOUT`. */
export declare class ConnectionError extends EegError {
    readonly name = "ConnectionError";
}
/** The client did not send the request, because it is not valid, too expensive or not safe. */
export declare class RefusedError extends EegError {
    readonly name = "RefusedError";
}
/** Reference recordings cannot be prepared, or not in time. */
export declare class PreparationError extends EegError {
    readonly name = "PreparationError";
}
/** An upload in batches stopped early. `cause` is the error. */
export declare class UploadError extends EegError {
    readonly name = "UploadError";
    /** The collecting model that stays, because its batches are paid or it could not be deleted; otherwise null. */
    readonly modelId: string | null;
    readonly paidUsd: string;
    readonly trialsDone: number;
    constructor(message: string, unfinished: {
        readonly modelId: string | null;
        readonly paidUsd: string;
        readonly trialsDone: number;
    }, fields: ErrorFields);
}
/** A later one of several prediction requests failed. `predictions` has the answers before; `cause` is the error. */
export declare class PartialPredictionError extends EegError {
    readonly name = "PartialPredictionError";
    readonly predictions: PredictionList;
    constructor(message: string, predictions: PredictionList, fields: ErrorFields);
}
/** The error of a job that has failed, as its request would have thrown it. */
export declare function errorFrom({ code, message, type, field, alternatives, details }: ErrorObject): EegError;
/**
 * The error for an unsuccessful answer. If it does not come from the service, it is an ApiError with the code `HTTP_…`.
 */
export declare function errorOf({ status, headers }: Response, body: unknown, retryAfter: number | null, idempotencyKey: string | null): EegError;
/** Fields of an error, for a new error with this one as its cause. */
export declare function fieldsOf(cause: unknown): ErrorFields;
