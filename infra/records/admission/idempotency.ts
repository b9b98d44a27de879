import { limits } from '../../contract/limits.ts';
import type { KeyMode } from '../../contract/task-model.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';

/** What a create or fit had begun under a key, so that a later request with it can join. */
export interface IdempotentJob {
  readonly modelId: string;
  readonly jobId: string;
  readonly holdId: string | null;
}

/** A key by whose it is: test and live keys of an account have keys of their own. */
export interface IdempotencyName {
  readonly accountId: string;
  readonly mode: KeyMode;
  readonly key: string;
}

export type Begun =
  | { readonly outcome: 'new' }
  /** The process that held the key died; `job` is what it had begun. */
  | { readonly outcome: 'taken'; readonly job: IdempotentJob | null }
  | { readonly outcome: 'running'; readonly job: IdempotentJob | null; readonly retryAfterSeconds: number }
  | { readonly outcome: 'replay'; readonly answer: StoredAnswer }
  | { readonly outcome: 'reused' }
  /** The account has no room for the answer. */
  | { readonly outcome: 'full' };

/** A stored answer: its text, or the object that holds it. */
export type StoredAnswer =
  | { readonly status: number; readonly body: string }
  | { readonly status: number; readonly ref: string; readonly bytes: number };

interface Row {
  outcome: Begun['outcome'];
  status: number;
  body: string | null;
  ref: string | null;
  bytes: bigint;
  job: IdempotentJob | null;
  retry_after: number;
}

const answerOf = ({ status, body, ref, bytes }: Pick<Row, 'status' | 'body' | 'ref' | 'bytes'>): StoredAnswer =>
  ref === null ? { status, body: body! } : { status, ref, bytes: Number(bytes) };

/**
 * Takes the key for this request, or says who has it. `lockId` is the request's lease: renewed and expiring with it.
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
 * Writes down the job that the request begins, in the transaction that begins it. False: the request holds the key no
 * longer, so that another one may begin a job under it, and the caller's transaction must not commit.
 */
export async function setIdempotentJob(
  sql: Sql,
  { accountId, mode, key, job, lockId }: IdempotencyName & { job: IdempotentJob; lockId: string },
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE idempotency_keys SET job = $4
     WHERE account_id = $1 AND mode = $2 AND key = $3 AND state = 'running' AND lock_id = $5`,
    [accountId, mode, key, JSON.stringify(job), lockId],
  );
  return rowCount === 1;
}

/**
 * Stores the terminal answer, sent byte for byte from then on. With `lockId`, only while that request still holds the
 * key: false means that another request has taken it, and the caller's transaction must not commit. `hash` is noted for
 * a key that was begun before it was known.
 */
export async function finishIdempotency(
  sql: Sql,
  {
    accountId,
    mode,
    key,
    status,
    body,
    lockId,
    hash,
  }: IdempotencyName & { status: number; body: string; lockId?: string; hash?: string },
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE idempotency_keys SET state = 'done', response_status = $4, response_body = $5,
      response_bytes = octet_length($5::text), lock_id = NULL, locked_until = NULL, request_hash = coalesce($7, request_hash)
     WHERE account_id = $1 AND mode = $2 AND key = $3 AND state = 'running' AND ($6::uuid IS NULL OR lock_id = $6)`,
    [accountId, mode, key, status, body, lockId ?? null, hash ?? null],
  );
  return rowCount === 1;
}

/** Frees a key whose job ended without an answer to keep, in the transaction that ends it. */
export async function freeIdempotency(sql: Sql, { accountId, mode, key }: IdempotencyName): Promise<void> {
  await sql.query(
    `DELETE FROM idempotency_keys WHERE account_id = $1 AND mode = $2 AND key = $3 AND state = 'running'`,
    [accountId, mode, key],
  );
}

/**
 * Lets go of the key of a request that ended without a terminal answer, while it still holds it. A key under which a
 * job was begun stays with its job: the next request with it joins that job, whatever this one knew of it.
 */
export async function letGoIdempotency(
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

/** The stored answer to one request under a key, or null while there is none. */
export async function storedAnswer(
  sql: Sql,
  { accountId, mode, key, hash }: IdempotencyName & { hash: string },
): Promise<StoredAnswer | null> {
  const {
    rows: [row],
  } = await sql.query<Row>(
    `SELECT response_status AS status, response_body AS body, response_ref AS ref, response_bytes AS bytes
     FROM idempotency_keys
     WHERE account_id = $1 AND mode = $2 AND key = $3 AND request_hash = $4 AND state = 'done'`,
    [accountId, mode, key, hash],
  );
  return row ? answerOf(row) : null;
}
