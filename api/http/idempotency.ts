import { createHash, randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import {
  beginIdempotency,
  finishIdempotency,
  unlockIdempotency,
  setIdempotentJob,
  storedAnswer,
  type Begun,
  type IdempotentJob,
} from '../../infra/records/admission/idempotency.ts';
import type { Sql } from '../../infra/drivers/postgres/transaction.ts';
import { ApiError } from '../../infra/contract/errors.ts';
import { limits } from '../../infra/contract/limits.ts';
import type { ApiDeps } from '../deps.ts';
import { answersFull } from '../../infra/records/quotas/stored-answers.ts';
import { asyncPreferenceOf, type AsyncPreference } from './prefer.ts';
import { callerOf, interfacePath } from './request.ts';
import { loadAnswer } from './stored-answer.ts';
import type { Answer } from './answer.ts';

const header = 'Idempotency-Key';

const isKey = (key: string): boolean => key.length >= 1 && key.length <= limits.idempotencyKeyBytes;

/** Whether the request has an Idempotency-Key. Without one, its body needs no hash. */
export const hasKey = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  headers['idempotency-key'] !== undefined;

/** The key that the request's admission may start; null: the request has none, or its use case starts it later. */
export function keyToBegin({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  const value = headers['idempotency-key'];
  return value !== undefined && isKey(String(value)) ? String(value) : null;
}

/** The request's key: any header text, one character per byte (Latin-1); null without one. */
function idempotencyKeyOf(request: FastifyRequest): string | null {
  const value = request.headers['idempotency-key'];
  if (value === undefined) return null;
  const key = String(value);
  if (isKey(key)) return key;
  throw new ApiError(
    'INVALID_REQUEST',
    `The ${header} has ${key.length} bytes; 1 to ${limits.idempotencyKeyBytes} are allowed.`,
    { field: header },
  );
}

/** Identity of a request: a key may be used again only with the same mode, path and body. */
function requestHash(request: FastifyRequest, bodyHash: string): string {
  return createHash('sha256')
    .update(`${callerOf(request).mode} ${request.method} ${interfacePath(request)} ${bodyHash}`)
    .digest('hex');
}

/**
 * What the request may do under its key. Without a key, nothing is stored, and no work continues after the request has
 * ended.
 */
export interface Ticket {
  readonly key: string | null;
  /** Identity of the request that owns the key; empty without one. */
  readonly hash: string;
  /** Aborts when the caller disconnects. With a key it never aborts, because a retry can read the answer. */
  readonly disconnected: AbortSignal;
  /** A job that an earlier request with this key started, and that no request waits for. */
  readonly job: IdempotentJob | null;
  /** The caller prefers a job to a long wait. Without a key it is null: only a key lets a job go on. */
  readonly prefersAsync: AsyncPreference | null;
  /** Records the job in the transaction that starts it. Throws CONFLICT if the key was lost in the meantime. */
  setJob(sql: Sql, job: IdempotentJob): Promise<void>;
  /**
   * Stores the answer in the transaction that makes it true. Throws CONFLICT if the key was lost in the meantime, so
   * that the transaction rolls back. `modelId`: the model that the answer is about; null: none.
   */
  finish(sql: Sql, answer: Answer, modelId: string | null): Promise<void>;
  /** Releases the key after an answer that is not stored. */
  release(): Promise<void>;
}

const conflict = (message: string, progress: unknown, retryAfterSeconds: number): ApiError =>
  new ApiError('CONFLICT', message, { field: header, details: { progress }, retryAfterSeconds });

/** The error for a key whose job runs. `progress`: that of its fit; null: not known. */
export const stillRunning = (progress: unknown, retryAfterSeconds: number): ApiError =>
  conflict(
    'A request with this Idempotency-Key is still running. Send it again later to get its answer.',
    progress,
    retryAfterSeconds,
  );

/** The lock of the request's key expired while the request ran. */
export const takenOver = (): ApiError =>
  conflict('Another request has taken this Idempotency-Key over. Send the request again to get its answer.', null, 1);

/** Throws if the caller has disconnected and sent no key: no one would learn what was charged. */
export function requireAwaited({ disconnected }: Pick<Ticket, 'disconnected'>): void {
  if (!disconnected.aborted) return;
  throw new ApiError(
    'INVALID_REQUEST',
    'The connection ended before the answer, and the request had no Idempotency-Key: nothing was charged.',
    { field: header },
  );
}

const withoutKey = (disconnected: AbortSignal): Ticket => ({
  key: null,
  hash: '',
  disconnected,
  job: null,
  prefersAsync: null,
  setJob: async () => undefined,
  finish: async () => requireAwaited({ disconnected }),
  release: async () => undefined,
});

export type Opened = { readonly ticket: Ticket } | { readonly replay: Answer } | { readonly job: IdempotentJob };

/**
 * Takes the request's key. Returns the stored answer if there is one, and the running job of the key to a caller that
 * prefers one. Throws CONFLICT while another request uses the key (with the result of `progressOf` for its job),
 * IDEMPOTENCY_KEY_REUSED if the key came with a different request, and PAYLOAD_TOO_LARGE if the account has no room for
 * another stored answer.
 */
export async function openTicket(
  deps: ApiDeps,
  request: FastifyRequest,
  bodyHash: string,
  disconnected: AbortSignal,
  progressOf: (job: IdempotentJob) => Promise<unknown>,
): Promise<Opened> {
  const key = idempotencyKeyOf(request);
  if (key === null) return { ticket: withoutKey(disconnected) };
  const { accountId, mode, at, leaseId: lockId, begunKey } = callerOf(request);
  const prefersAsync = asyncPreferenceOf(request);
  const hash = requestHash(request, bodyHash);
  const begunByAdmission = begunKey === key;
  const begun: Begun = begunByAdmission
    ? { outcome: 'new' }
    : await beginIdempotency(deps.pool, {
        accountId,
        mode,
        key,
        hash,
        lockId,
        lockSeconds: deps.leaseSeconds ?? 60,
      });
  if (begun.outcome === 'replay') return { replay: await loadAnswer(deps, request, begun.answer) };
  if (begun.outcome === 'full') throw await answersFull(deps.pool, { accountId, at });
  if (begun.outcome === 'reused') {
    throw new ApiError(
      'IDEMPOTENCY_KEY_REUSED',
      'The Idempotency-Key was used before with a different request. A key belongs to the exact bytes of one body on one ' +
        'path, estimates included: an estimate and the create after it need two keys. Use a fresh key.',
      { field: header, alternatives: [{ [header]: randomUUID() }] },
    );
  }
  if (begun.outcome === 'running') {
    if (begun.job && prefersAsync) return { job: begun.job };
    throw stillRunning(begun.job ? await progressOf(begun.job) : null, begun.job ? 5 : 1);
  }
  const job = begun.outcome === 'taken' ? begun.job : null;
  return {
    ticket: {
      key,
      hash,
      disconnected: new AbortController().signal,
      job,
      prefersAsync,
      async setJob(sql, begunJob) {
        const marked = prefersAsync ? { ...begunJob, async: true } : begunJob;
        if (!(await setIdempotentJob(sql, { accountId, mode, key, job: marked, lockId, hash }))) throw takenOver();
      },
      async finish(sql, { status, body }, modelId) {
        if (!(await finishIdempotency(sql, { accountId, mode, key, status, body, modelId, lockId, hash })))
          throw takenOver();
      },
      // The end of the request releases a key that its admission started.
      release: async () =>
        begunByAdmission ? undefined : unlockIdempotency(deps.pool, { accountId, mode, key, lockId }),
    },
  };
}

/** Whether the request has a key that it has not started itself, so that a stored answer may exist. */
export const mayReplay = (request: Pick<FastifyRequest, 'headers' | 'caller'>): boolean =>
  hasKey(request) && callerOf(request).begunKey === null;

/** The key under which an answer may be stored; null: there is none, or this request has just started it. */
export function keyOfReplay(request: FastifyRequest): string | null {
  const key = idempotencyKeyOf(request);
  return key === callerOf(request).begunKey ? null : key;
}

/**
 * The stored answer to the same request, for a request that is no longer valid (for example because its `expires_at`
 * has passed).
 */
export async function replayOf(deps: ApiDeps, request: FastifyRequest, bodyHash: string): Promise<Answer | null> {
  const key = keyOfReplay(request);
  if (key === null) return null;
  const { accountId, mode } = callerOf(request);
  const stored = await storedAnswer(deps.pool, { accountId, mode, key, hash: requestHash(request, bodyHash) });
  return stored && loadAnswer(deps, request, stored);
}
