import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CommitUnknown } from '../../infra/drivers/postgres/transaction.ts';
import { isUnreachable } from '../../infra/drivers/postgres/errors.ts';
import { isStoreUnavailable } from '../../infra/drivers/objects/bytes.ts';
import { ThreadLost, type LossReason } from '../../infra/drivers/threads/messages.ts';
import { ApiError, errorBody, errorTable, type ErrorCode } from '../../infra/contract/errors.ts';
import { limits } from '../../infra/contract/limits.ts';
import type { ApiDeps } from '../deps.ts';
import { longestUploadSeconds } from './collect.ts';
import { newRequestId } from './request.ts';
import { createStormGuard } from '../../infra/observe/storm.ts';

/** Faults that Fastify detects before a route runs. */
const frameworkFaults: Readonly<Record<string, (error: FastifyError) => ApiError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () =>
    new ApiError('PAYLOAD_TOO_LARGE', `The body has more than ${limits.bodyBytes} bytes.`, { field: 'body' }),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: (cause) =>
    new ApiError('INVALID_REQUEST', 'The body is shorter or longer than its Content-Length.', {
      field: 'Content-Length',
      cause,
    }),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: (cause) =>
    new ApiError('INVALID_REQUEST', 'The Content-Type cannot be read; bodies are JSON.', {
      field: 'Content-Type',
      alternatives: [{ 'Content-Type': 'application/json' }],
      cause,
    }),
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: (cause) => new ApiError('NOT_FOUND', 'No endpoint has this method.', { cause }),
  FST_ERR_BAD_URL: (cause) => new ApiError('NOT_FOUND', 'The path is not a valid URL path.', { cause }),
  FST_ERR_MAX_PARAM_LENGTH: (cause) =>
    new ApiError('NOT_FOUND', 'The path is longer than any path of this service.', { cause }),
  FST_ERR_ASYNC_CONSTRAINT: (cause) => new ApiError('NOT_FOUND', 'No endpoint matches this request.', { cause }),
};

/** Messages for the loss of a request's thread, by reason. */
const losses: Readonly<Record<LossReason, string>> = {
  lost: 'The thread that worked on the request ended before it did; nothing was charged. Send the request again.',
  overdue:
    'The service gave the request up, because it took a thread longer than any request may; nothing was charged. ' +
    'Send it again, or fewer trials at a time.',
  'out of memory':
    'The service gave the request up, because it needed more memory than any request may; nothing was charged. ' +
    'Send it again, or fewer trials at a time.',
};

/** Converts any thrown value to the error for the caller. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const fault = frameworkFaults[(error as FastifyError).code];
  if (fault) return fault(error as FastifyError);
  const status = (error as FastifyError).statusCode ?? 500;
  if (status >= 400 && status < 500) return new ApiError('INVALID_REQUEST', error.message, { cause: error });
  if (error instanceof ThreadLost)
    return new ApiError('POOL_UNAVAILABLE', losses[error.reason], { retryAfterSeconds: 2, cause: error });
  if (isStoreUnavailable(error))
    return new ApiError(
      'POOL_UNAVAILABLE',
      'The store of trials and models is briefly unavailable; nothing was charged. Send the request again in 5 s.',
      { retryAfterSeconds: 5, cause: error },
    );
  if (error instanceof CommitUnknown) {
    return new ApiError(
      'BILLING_UNAVAILABLE',
      'The database went away while the answer was written: whether the request was charged is not known. Sent again ' +
        'with the same Idempotency-Key it is charged once; without one, GET /v1/usage says first what was charged.',
      { retryAfterSeconds: 5, cause: error },
    );
  }
  if (isUnreachable(error)) {
    return new ApiError(
      'BILLING_UNAVAILABLE',
      'Billing is briefly unavailable; nothing was charged. Send the request again in 5 s.',
      { retryAfterSeconds: 5, cause: error },
    );
  }
  return new ApiError(
    'INTERNAL',
    'A fault of the service; nothing was charged. Send the request again, or report `details.request_id`.',
    { cause: error },
  );
}

/** Sends an error as the error object (spec, "Errors"). */
export function sendError(error: ApiError, request: FastifyRequest, reply: FastifyReply): void {
  if (request.observed) request.observed.code = error.code;
  const retryAfter = error.retryAfterSeconds ?? (errorTable[error.code].retryAfter ? 1 : undefined);
  if (retryAfter !== undefined) reply.header('retry-after', String(Math.max(1, Math.ceil(retryAfter))));
  if (error.status === 401) reply.header('www-authenticate', 'Bearer');
  reply
    .code(error.status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(errorBody(error, request.id)));
}

/** Answers input that is not HTTP, or that ends too early, with an error object, if the caller still reads. */
export function answerBrokenHttp(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const id = newRequestId();
  const message =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? `The request did not arrive within ${longestUploadSeconds} s.`
      : `The request is not readable HTTP (${error.code ?? error.message}).`;
  const body = JSON.stringify(errorBody(new ApiError('INVALID_REQUEST', message), id));
  socket.end(
    `HTTP/1.1 422 Unprocessable Entity\r\ncontent-type: application/json; charset=utf-8\r\nx-request-id: ` +
      `${id}\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
}

/** Codes of 5xx answers that the service gives on purpose, if no fault caused them: they log one line. */
const expectedRefusals: ReadonlySet<ErrorCode> = new Set(['SERVING_DISABLED', 'POOL_SATURATED']);

/** Answers every error of a scope with the error object and logs faults of the service. `noted` receives each code. */
export function answerErrors(
  scope: FastifyInstance,
  { log }: Pick<ApiDeps, 'log'>,
  noted?: (code: ErrorCode, request: FastifyRequest) => void,
): void {
  const storm = createStormGuard();
  scope.setErrorHandler((thrown, request, reply) => {
    const error = toApiError(thrown);
    const expected = expectedRefusals.has(error.code) && error.cause === undefined;
    if (error.status >= 500 && storm.admits(error.code, log)) {
      const route = `${request.method} ${request.routeOptions.url ?? '(no route)'}`;
      const fields = { request: request.id, account: request.caller?.accountId, route, code: error.code };
      if (expected) log.info(`${error.code} in ${route}`, fields);
      else log.error(`${error.code} in ${route}`, { ...fields, error: error.cause ?? error });
    }
    noted?.(error.code, request);
    sendError(error, request, reply);
  });
}

/** The error for a path that is not an endpoint. */
export function unknownPath({ method, url }: Pick<FastifyRequest, 'method' | 'url'>): ApiError {
  const path = url.split('?')[0].slice(0, 200);
  return new ApiError('NOT_FOUND', `There is no endpoint ${method} ${path}.`, {
    advice: ['See /docs/api for every endpoint.'],
  });
}

/** Answers an unknown path, and one with an empty id, before the request body is read. */
export function answerUnknownPaths(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ is404, method, url, params }) => {
    const lacksId = Object.values((params ?? {}) as Record<string, string>).includes('');
    if (is404 || lacksId) throw unknownPath({ method, url });
  });
}
