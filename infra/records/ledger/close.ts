import type pg from 'pg';
import { cancelOn } from '../../drivers/postgres/cancel.ts';
import { transaction, type Sql } from '../../drivers/postgres/transaction.ts';
import { brokenLinks, differing } from './check-seals.ts';
import { chargesOfOthers, creditsAhead } from './range-invariants.ts';
import { closedContent, closingHash } from './closings-sql.ts';

/** Lock number, different from those of migrations, session defaults and seals. */
const lockId = 7_351_202_614;
/** About as many transactions are closed at once: seconds of work, which an interrupted check keeps. */
const transactionsOfPart = 250_000;
/** Timeout of a statement, in the server and here. */
const longestMs = 600_000;

/** Whole seals of days that have ended, after the last closing. */
interface Part {
  readonly afterSeal: bigint;
  readonly throughSeal: bigint;
  readonly after: bigint;
  readonly through: bigint;
  readonly unsound: bigint;
}

/**
 * Verifies the sealed transactions of days before that of `at` once, part by part, and carries their sums in
 * `ledger_closings`. Stops at a part with a fault: it stays open, so that each check reports it. Returns the number of
 * parts that were closed. One process closes at a time.
 */
export async function closeLedger(pool: pg.Pool, at: Date, signal?: AbortSignal): Promise<number> {
  for (let closed = 0; ; closed += 1) {
    signal?.throwIfAborted();
    if (!(await transaction(pool, (sql) => closeNext(pool, sql, at, signal)))) return closed;
  }
}

async function closeNext(pool: pg.Pool, sql: pg.PoolClient, at: Date, signal?: AbortSignal): Promise<boolean> {
  const stopCancelling = await cancelOn(signal, pool, sql);
  try {
    return await closePart(sql, at);
  } finally {
    await stopCancelling();
  }
}

async function closePart(client: Sql, at: Date): Promise<boolean> {
  const sql = {
    query: <Row extends object>(text: string, values: readonly unknown[] = []) =>
      client.query<Row>({ text, values: [...values], query_timeout: longestMs } as pg.QueryConfig),
  };
  await sql.query(`SET LOCAL statement_timeout = ${longestMs}; SET LOCAL client_connection_check_interval = '10s'`);
  const { rows: lock } = await sql.query<{ taken: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS taken', [lockId]);
  if (!lock[0]!.taken) return false;
  const { rows } = await sql.query<Part>(
    `WITH last AS (SELECT coalesce(max(through_id), 0) AS through FROM ledger_closings),
     open AS (
       SELECT s.*, sum(transactions) OVER (ORDER BY number) - transactions AS before
       FROM ledger_seals s, last WHERE s.after_id >= last.through
         AND s.sealed_at < date_trunc('day', $1::timestamptz AT TIME ZONE 'UTC') AT TIME ZONE 'UTC')
     SELECT min(number) - 1 AS "afterSeal", max(number) AS "throughSeal", min(after_id) AS after,
            max(through_id) AS through, sum(unsound)::bigint AS unsound
     FROM open WHERE before < ${transactionsOfPart} HAVING count(*) > 0`,
    [at],
  );
  const part = rows[0];
  if (!part || part.unsound > 0n) return false;
  const seals = [part.afterSeal, part.throughSeal];
  const ids = [part.after, part.through];
  for (const [query, values] of [
    [brokenLinks, seals],
    [differing(true), seals],
    [chargesOfOthers, ids],
    [creditsAhead, ids],
  ] as const) {
    const { rowCount } = await sql.query(`SELECT FROM (${query}) AS found LIMIT 1`, [...values]);
    if (rowCount !== 0) return false;
  }
  await sql.query(
    `WITH c AS MATERIALIZED (
       SELECT coalesce(l.number, 0) + 1 AS number, p.after_id, p.through_id, s.hash AS seal_hash,
              ${closedContent('p.after_id', 'p.through_id')},
              coalesce(l.hash, sha256('')) AS previous, clock_timestamp() AS closed_at
       FROM (SELECT $1::bigint AS after_id, $2::bigint AS through_id) AS p
       JOIN ledger_seals s ON s.number = $3
       LEFT JOIN (SELECT * FROM ledger_closings ORDER BY number DESC LIMIT 1) AS l ON true)
     INSERT INTO ledger_closings (number, after_id, through_id, seal_hash, transactions, sums, previous, hash, closed_at)
     SELECT number, after_id, through_id, seal_hash, transactions, sums, previous, ${closingHash}, closed_at FROM c`,
    [part.after, part.through, part.throughSeal],
  );
  return true;
}
