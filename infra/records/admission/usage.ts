import { ApiError } from '../../contract/errors.ts';
import type { KeyMode } from '../../contract/task-model.ts';
import { secondsUntilNext } from '../../contract/utc-periods.ts';
import { prepared } from '../../drivers/postgres/prepared.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';

export interface UsageEvent {
  readonly accountId: string;
  readonly keyId: string;
  readonly mode: KeyMode;
  readonly endpoint: string;
  readonly status: number;
  /** Error code, or `ok`. */
  readonly code: string;
  readonly windows: number;
  readonly microUsd: bigint;
  readonly requestId: string;
  readonly at: Date;
}

const usageArguments = (event: UsageEvent): unknown[] => [
  event.accountId,
  event.keyId,
  event.mode,
  event.endpoint,
  event.status,
  event.code,
  event.windows,
  event.microUsd,
  event.requestId,
  event.at,
];

/** Counts one answered request, including refused ones (spec, rule 10). */
export async function recordUsage(sql: Sql, event: UsageEvent): Promise<void> {
  await sql.query('SELECT count_usage($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)', usageArguments(event));
}

/** Lease and key that a finished request must release. */
export interface RequestLocks {
  /** Null: the lease is released later. */
  readonly leaseId: string | null;
  /** The Idempotency-Key that the admission locked, to be unlocked unless an answer is stored; null: none. */
  readonly key: string | null;
  readonly lockId: string;
}

/** Counts the request, unlocks its key and releases its lease, in one statement. */
export async function finishRequest(
  sql: Sql,
  event: UsageEvent,
  { leaseId, key, lockId }: RequestLocks,
): Promise<void> {
  await prepared(
    sql,
    `WITH key AS (DELETE FROM idempotency_keys
       WHERE account_id = $1 AND mode = $3 AND key = $12 AND state = 'running' AND lock_id = $13 AND job IS NULL RETURNING 1),
     lease AS (DELETE FROM request_leases WHERE id = $11 AND (SELECT count(*) FROM key) >= 0)
     SELECT count_usage($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [...usageArguments(event), leaseId, key, lockId],
  );
}

export interface UsageCounts {
  readonly requests: bigint;
  readonly refused: bigint;
  /** Refused requests by error code. */
  readonly refusedByCode: Readonly<Record<string, string>>;
  readonly windows: bigint;
  readonly estimates: bigint;
}

export interface CountsRow extends UsageCounts {
  readonly period: 'today' | 'month';
}

/** CountsRows of an account's keys of one mode, in the UTC day and month of `at`. */
export const countsRows = (account: string, mode: string, at: string): string => `
  WITH bounds AS (SELECT (${at}::timestamptz AT TIME ZONE 'UTC')::date AS day),
       days AS (SELECT p.period, u.endpoint, u.status, u.code, u.requests, u.windows
                FROM usage_days u, bounds b, LATERAL (VALUES ('month'), (CASE WHEN u.day = b.day THEN 'today' END)) AS p (period)
                WHERE u.account_id = ${account} AND u.mode = ${mode} AND u.day BETWEEN date_trunc('month', b.day)::date AND b.day
                  AND p.period IS NOT NULL),
       codes AS (SELECT period, code, sum(requests)::text AS requests FROM days WHERE status >= 400 GROUP BY period, code)
  SELECT d.period, sum(d.requests)::bigint AS requests,
         coalesce(sum(d.requests) FILTER (WHERE d.status >= 400), 0)::bigint AS refused,
         coalesce((SELECT jsonb_object_agg(c.code, c.requests) FROM codes c WHERE c.period = d.period), '{}') AS "refusedByCode",
         sum(d.windows)::bigint AS windows,
         coalesce(sum(d.requests) FILTER (WHERE d.endpoint = 'task_models.estimate' AND d.status < 400), 0)::bigint AS estimates
  FROM days d GROUP BY d.period`;

export function countsOf(rows: readonly CountsRow[]): { today: UsageCounts | null; month: UsageCounts | null } {
  const of = (period: string): UsageCounts | null => rows.find((row) => row.period === period) ?? null;
  return { today: of('today'), month: of('month') };
}

/** Counts one estimate in the account's daily allowance; throws USAGE_CAP_EXCEEDED if it is used up. */
export async function countEstimate(
  sql: Sql,
  { accountId, allowance, at }: { accountId: string; allowance: number; at: Date },
): Promise<void> {
  const { rowCount } = await sql.query(
    `INSERT INTO estimate_days AS e (account_id, day, estimates)
     SELECT $1, ($3::timestamptz AT TIME ZONE 'UTC')::date, 1 WHERE $2::integer > 0
     ON CONFLICT (account_id, day) DO UPDATE SET estimates = e.estimates + 1 WHERE e.estimates < $2::integer`,
    [accountId, allowance, at],
  );
  if (rowCount === 1) return;
  const seconds = secondsUntilNext('day', at);
  throw new ApiError(
    'USAGE_CAP_EXCEEDED',
    `The account's allowance of ${allowance} estimates a day is used up; the next day (UTC) begins in ${seconds} s.`,
    { advice: [`Wait ${seconds} s, or ask the operator for a larger allowance.`], retryAfterSeconds: seconds },
  );
}

/**
 * Counts an estimate that the client may have to repeat until it is ready: the same request counts once a day until
 * `endWait`. Returns whether it was counted now; throws USAGE_CAP_EXCEEDED if the allowance is used up.
 */
export async function countWaitingEstimate(
  sql: Sql,
  { accountId, allowance, at, hash }: { accountId: string; allowance: number; at: Date; hash: string },
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `INSERT INTO estimate_waits (account_id, day, request_hash)
     VALUES ($1, ($2::timestamptz AT TIME ZONE 'UTC')::date, $3) ON CONFLICT DO NOTHING`,
    [accountId, at, hash],
  );
  if (rowCount === 0) return false;
  await countEstimate(sql, { accountId, allowance, at });
  return true;
}

/**
 * Counts an estimate that has its final answer. If it was counted while the client repeated it, it is not counted
 * again. Concurrent ones count separately. Returns whether it was counted now; throws USAGE_CAP_EXCEEDED if the
 * allowance is used up.
 */
export async function countFinalEstimate(
  sql: Sql,
  { accountId, allowance, at, hash }: { accountId: string; allowance: number; at: Date; hash: string },
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `DELETE FROM estimate_waits WHERE account_id = $1 AND request_hash = $2
       AND day = ($3::timestamptz AT TIME ZONE 'UTC')::date`,
    [accountId, hash, at],
  );
  if (rowCount === 1) return false;
  await countEstimate(sql, { accountId, allowance, at });
  return true;
}

/** The estimate has its final answer: a repeated request counts again. */
export async function endWait(sql: Sql, { accountId, hash }: { accountId: string; hash: string }): Promise<void> {
  await sql.query('DELETE FROM estimate_waits WHERE account_id = $1 AND request_hash = $2', [accountId, hash]);
}
