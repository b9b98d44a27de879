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
import { callerOf, interfacePath } from './request.ts';
import { loadAnswer } from './stored-answer.ts';
import type { Answer } from './answer.ts';

const header = 'Idempotency-Key';

const isKey = (key: string): boolean => key.length >= 1 && key.length <= limits.idempotencyKeyBytes;

/** Whether the request names a key at all: what nobody names a key for needs no hash of its body. */
export const hasKey = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  headers['idempotency-key'] !== undefined;

/** The key that the request's admission may begin; null where there is none, or none that is taken later. */
export function keyToBegin({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  const value = headers['idempotency-key'];
  return value !== undefined && isKey(String(value)) ? String(value) : null;
}

/** The request's key, any text that HTTP carries, a byte as a character (Latin-1); null without one. */
export function idempotencyKeyOf(request: FastifyRequest): string | null {
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

/** Identity of a request: the same key may only be sent again with the same mode, path and body. */
export function requestHash(request: FastifyRequest, bodyHash: string): string {
  return createHash('sha256')
    .update(`${callerOf(request).mode} ${request.method} ${interfacePath(request)} ${bodyHash}`)
    .digest('hex');
}

/**
 * What the request may do under its key. Without a key nothing is kept, and nothing runs on once the request has ended:
 * then no answer is finished.
 */
export interface Ticket {
  readonly key: string | null;
  /** Identity of the request that holds the key; empty without one. */
  readonly hash: string;
  /** Aborts when the caller goes away; with a key never, because the answer waits for a retry. */
  readonly left: AbortSignal;
  /** What an earlier request, whose process died, had begun under the key. */
  readonly job: IdempotentJob | null;
  /** Writes the job down in the transaction that begins it; throws CONFLICT if the key was lost meanwhile. */
  setJob(sql: Sql, job: IdempotentJob): Promise<void>;
  /**
   * Stores the answer in the transaction that makes it true; throws CONFLICT, so that it rolls back, if the key was
   * lost meanwhile.
   */
  finish(sql: Sql, answer: Answer): Promise<void>;
  /** Lets go of the key after an answer that is not stored. */
  letGo(): Promise<void>;
}

const conflict = (message: string, progress: unknown, retryAfterSeconds: number): ApiError =>
  new ApiError('CONFLICT', message, { field: header, details: { progress }, retryAfterSeconds });

/** The request lost its key while it ran, because its lock had expired. */
export const takenOver = (): ApiError =>
  conflict('Another request has taken this Idempotency-Key over. Send the request again to get its answer.', null, 1);

/** Throws where the caller has gone and left no key: nobody would ever learn what was charged. */
export function requireHeard({ left }: Pick<Ticket, 'left'>): void {
  if (!left.aborted) return;
  throw new ApiError(
    'INVALID_REQUEST',
    'The connection ended before the answer, and the request had no Idempotency-Key: nothing was charged.',
    { field: header },
  );
}

export const withoutKey = (left: AbortSignal): Ticket => ({
  key: null,
  hash: '',
  left,
  job: null,
  setJob: async () => undefined,
  finish: async () => requireHeard({ left }),
  letGo: async () => undefined,
});

export type Opened = { readonly ticket: Ticket } | { readonly replay: Answer };

/**
 * Takes the request's key. Answers the stored answer where there is one; throws CONFLICT while another request holds
 * the key (with what `progressOf` its job says), IDEMPOTENCY_KEY_REUSED when the key came with another request, and
 * PAYLOAD_TOO_LARGE where the account has no room for another answer.
 */
export async function openTicket(
  deps: ApiDeps,
  request: FastifyRequest,
  bodyHash: string,
  left: AbortSignal,
  progressOf: (job: IdempotentJob) => Promise<unknown>,
): Promise<Opened> {
  const key = idempotencyKeyOf(request);
  if (key === null) return { ticket: withoutKey(left) };
  const { accountId, mode, at, leaseId: lockId, begunKey } = callerOf(request);
  const hash = requestHash(request, bodyHash);
  const holds = begunKey === key;
  const begun: Begun = holds
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
      'The Idempotency-Key was used before with a different request. Use a fresh key for a new request.',
      { field: header, alternatives: [randomUUID()] },
    );
  }
  if (begun.outcome === 'running') {
    const progress = begun.job ? await progressOf(begun.job) : null;
    throw conflict(
      'A request with this Idempotency-Key is still running. Send it again later to get its answer.',
      progress,
      begun.job ? 5 : 1,
    );
  }
  const job = begun.outcome === 'taken' ? begun.job : null;
  return {
    ticket: {
      key,
      hash,
      left: new AbortController().signal,
      job,
      async setJob(sql, begunJob) {
        if (!(await setIdempotentJob(sql, { accountId, mode, key, job: begunJob, lockId }))) throw takenOver();
      },
      async finish(sql, { status, body }) {
        if (!(await finishIdempotency(sql, { accountId, mode, key, status, body, lockId, hash }))) throw takenOver();
      },
      // The end of the request lets go of a key that its admission began.
      letGo: async () => (holds ? undefined : unlockIdempotency(deps.pool, { accountId, mode, key, lockId })),
    },
  };
}

/** Whether the request came with a key that it has not begun itself: another one may have its answer. */
export const mayReplay = (request: Pick<FastifyRequest, 'headers' | 'caller'>): boolean =>
  hasKey(request) && callerOf(request).begunKey === null;

/** The key under which an answer may be stored; null: there is none, or the request has just begun it. */
export function keyOfReplay(request: FastifyRequest): string | null {
  const key = idempotencyKeyOf(request);
  return key === callerOf(request).begunKey ? null : key;
}

/** The stored answer to this very request, for a request that no longer validates (its `expires_at` has passed). */
export async function replayOf(deps: ApiDeps, request: FastifyRequest, bodyHash: string): Promise<Answer | null> {
  const key = keyOfReplay(request);
  if (key === null) return null;
  const { accountId, mode } = callerOf(request);
  const stored = await storedAnswer(deps.pool, { accountId, mode, key, hash: requestHash(request, bodyHash) });
  return stored && loadAnswer(deps, request, stored);
}
