import { limits } from '../../contract/limits.ts';
import type { KeyMode } from '../../contract/task-model.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';

/** The job that a create or fit has started under a key, so that a later request with the key can join it. */
export interface IdempotentJob {
  readonly modelId: string;
  readonly jobId: string;
  readonly holdId: string | null;
  /** Its request was answered with the job (`Prefer: respond-async`): no request waits for it. */
  readonly async?: boolean;
}

/** A key with its account and mode: test and live keys of an account have separate Idempotency-Keys. */
export interface IdempotencyName {
  readonly accountId: string;
  readonly mode: KeyMode;
  readonly key: string;
}

export type Begun =
  | { readonly outcome: 'new' }
  /** The process that had locked the key died; `job` is the job it had started. */
  | { readonly outcome: 'taken'; readonly job: IdempotentJob | null }
  | { readonly outcome: 'running'; readonly job: IdempotentJob | null; readonly retryAfterSeconds: number }
  | { readonly outcome: 'replay'; readonly answer: StoredAnswer }
  | { readonly outcome: 'reused' }
  /** The account has no storage left for the answer. */
  | { readonly outcome: 'full' };

/** A stored answer: its text, or the name of its object. That of a create is erased when its model ends. */
export type StoredAnswer =
  | { readonly status: number; readonly body: string }
  | { readonly status: number; readonly ref: string; readonly bytes: number }
  | { readonly erasedWith: string };

interface Row {
  outcome: Begun['outcome'];
  status: number;
  body: string | null;
  ref: string | null;
  bytes: bigint;
  model: string | null;
  job: IdempotentJob | null;
  retry_after: number;
}

function answerOf({
  status,
  body,
  ref,
  bytes,
  model,
}: Pick<Row, 'status' | 'body' | 'ref' | 'bytes' | 'model'>): StoredAnswer {
  if (body !== null) return { status, body };
  return ref === null ? { erasedWith: model! } : { status, ref, bytes: Number(bytes) };
}

/**
 * Locks the key for this request, or returns who has it. `lockId` is the request's lease; the lock is renewed and
 * expires with it.
 */
export async function beginIdempotency(
  sql: Sql,
  {
    accountId,
    mode,
    key,
    hash,
    lockId,
    lockSeconds,
  }: IdempotencyName & { hash: string; lockId: string; lockSeconds: number },
): Promise<Begun> {
  const {
    rows: [row],
  } = await sql.query<Row>('SELECT * FROM begin_idempotency($1, $2, $3, $4, $5, $6, $7)', [
    accountId,
    mode,
    key,
    hash,
    lockId,
    lockSeconds,
    limits.idempotencyKeyDays,
  ]);
  const table: Readonly<Record<Begun['outcome'], () => Begun>> = {
    new: () => ({ outcome: 'new' }),
    taken: () => ({ outcome: 'taken', job: row.job }),
    running: () => ({ outcome: 'running', job: row.job, retryAfterSeconds: row.retry_after }),
    replay: () => ({ outcome: 'replay', answer: answerOf(row) }),
    reused: () => ({ outcome: 'reused' }),
    full: () => ({ outcome: 'full' }),
  };
  return table[row.outcome]();
}

/**
 * Records the job that the request starts, and the request's hash, in the same transaction: only the same request may
 * join the job. False: the request has lost the key, so that another request may start a job under it; the caller's
 * transaction must not commit.
 */
export async function setIdempotentJob(
  sql: Sql,
  { accountId, mode, key, job, lockId, hash }: IdempotencyName & { job: IdempotentJob; lockId: string; hash: string },
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE idempotency_keys SET job = $4, request_hash = $6
     WHERE account_id = $1 AND mode = $2 AND key = $3 AND state = 'running' AND lock_id = $5`,
    [accountId, mode, key, JSON.stringify(job), lockId, hash],
  );
  return rowCount === 1;
}

/**
 * Stores the terminal answer, which is sent byte for byte from then on. With `lockId`, only while that request still
 * has the key. False: another request has taken the key, and the caller's transaction must not commit. `hash` is stored
 * for a key that was locked before the body was known. `modelId`: the model that the answer is about, with which it
 * ends.
 */
export async function finishIdempotency(
  sql: Sql,
  {
    accountId,
    mode,
    key,
    status,
    body,
    modelId,
    lockId,
    hash,
  }: IdempotencyName & { status: number; body: string; modelId: string | null; lockId?: string; hash?: string },
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE idempotency_keys SET state = 'done', response_status = $4, response_body = $5,
      response_bytes = octet_length($5::text), locked_until = NULL, request_hash = coalesce($7, request_hash),
      model_id = $8
     WHERE account_id = $1 AND mode = $2 AND key = $3 AND state = 'running' AND ($6::uuid IS NULL OR lock_id = $6)`,
    [accountId, mode, key, status, body, lockId ?? null, hash ?? null, modelId],
  );
  return rowCount === 1;
}

/** Frees a key whose job ended without an answer to store, in the transaction that ends the job. */
export async function freeIdempotency(sql: Sql, { accountId, mode, key }: IdempotencyName): Promise<void> {
  await sql.query(
    `DELETE FROM idempotency_keys WHERE account_id = $1 AND mode = $2 AND key = $3 AND state = 'running'`,
    [accountId, mode, key],
  );
}

/**
 * Unlocks the key of a request that ended without a terminal answer, if the request still has it. If a job was started
 * under the key, the key stays with the job: the next request with it joins the job, even if this request did not know
 * of it.
 */
export async function unlockIdempotency(
  sql: Sql,
  { accountId, mode, key, lockId }: IdempotencyName & { lockId: string },
): Promise<void> {
  await sql.query(
    `WITH locked AS (
       SELECT account_id, mode, key, job FROM idempotency_keys
       WHERE account_id = $1 AND mode = $2 AND key = $3 AND state = 'running' AND lock_id = $4 FOR UPDATE),
     unlocked AS (
       UPDATE idempotency_keys i SET locked_until = clock_timestamp() FROM locked l
       WHERE (i.account_id, i.mode, i.key) = (l.account_id, l.mode, l.key) AND l.job IS NOT NULL)
     DELETE FROM idempotency_keys i USING locked l
     WHERE (i.account_id, i.mode, i.key) = (l.account_id, l.mode, l.key) AND l.job IS NULL`,
    [accountId, mode, key, lockId],
  );
}

/** The stored answer to one request under a key; null: there is none yet. */
export async function storedAnswer(
  sql: Sql,
  { accountId, mode, key, hash }: IdempotencyName & { hash: string },
): Promise<StoredAnswer | null> {
  const {
    rows: [row],
  } = await sql.query<Row>(
    `SELECT response_status AS status, response_body AS body, response_ref AS ref, response_bytes AS bytes,
            model_id AS model
     FROM idempotency_keys
     WHERE account_id = $1 AND mode = $2 AND key = $3 AND request_hash = $4 AND state = 'done'`,
    [accountId, mode, key, hash],
  );
  return row ? answerOf(row) : null;
}
