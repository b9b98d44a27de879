import { invalidField } from '../../contract/invalid-request.ts';
import { dayMs, limits } from '../../contract/limits.ts';
import type { MicroUsd } from '../../contract/prices.ts';
import type { KeyMode } from '../../contract/task-model.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';
import { deleteInSteps } from '../delete-in-steps.ts';

/** One request as its account may see it; never a body. */
export interface LoggedRequest {
  readonly requestId: string;
  readonly at: Date;
  readonly endpoint: string;
  readonly status: number;
  /** Error code, or `ok`. */
  readonly code: string;
  readonly keyId: string;
  /** Name of the key, if it has one. */
  readonly keyName: string | null;
  readonly mode: KeyMode;
  readonly windows: bigint;
  readonly microUsd: MicroUsd;
}

export interface LogFilter {
  /** Error code, or `ok`. */
  readonly code?: string;
  readonly refusedOnly?: boolean;
}

export interface LogPage {
  readonly requests: readonly LoggedRequest[];
  /** Pass it as `before` for the next page; null at the end. */
  readonly nextBefore: string | null;
}

/** Cursor of a page: microseconds since 1970 and the request's id. */
const cursor = /^(\d{1,16})\.([\w-]{1,100})$/;

function readCursor(before: string): readonly [string, string] {
  const match = cursor.exec(before);
  if (!match) throw invalidField('before', '`before` is not the `next_before` of a previous page.');
  return [match[1]!, match[2]!];
}

/** Requests of an account, newest first; INVALID_REQUEST if `before` is not a cursor. */
export async function loggedRequests(
  sql: Sql,
  accountId: string,
  { limit, before, filter = {} }: { limit: number; before: string | null; filter?: LogFilter },
): Promise<LogPage> {
  const [micros, requestId] = before === null ? [null, null] : readCursor(before);
  const refused = filter.refusedOnly || (filter.code !== undefined && filter.code !== 'ok');
  const { rows } = await sql.query<LoggedRequest & { cursor: string }>(
    `SELECT l.request_id AS "requestId", l.at, l.endpoint, l.status, l.code, l.key_id AS "keyId", k.name AS "keyName",
            l.mode, l.windows, l.micro_usd AS "microUsd",
            (extract(epoch FROM l.at) * 1000000)::bigint || '.' || l.request_id AS cursor
     FROM (SELECT * FROM request_log l
           WHERE l.account_id = $1 ${refused ? 'AND l.status >= 400' : ''} AND ($2::text IS NULL OR l.code = $2)
             AND ($3::bigint IS NULL OR (l.at, l.request_id) <
               (timestamptz 'epoch' + $3::bigint * interval '1 microsecond', $4::text))
           ORDER BY l.at DESC, l.request_id DESC LIMIT $5) l
     LEFT JOIN api_keys k ON k.key_id = l.key_id AND k.account_id = l.account_id
     ORDER BY l.at DESC, l.request_id DESC`,
    [accountId, filter.code ?? null, micros, requestId, limit + 1],
  );
  const page = rows.slice(0, limit);
  return {
    requests: page.map(({ cursor: _cursor, ...request }) => request),
    nextBefore: rows.length > limit ? page.at(-1)!.cursor : null,
  };
}

/**
 * Makes partitions for the coming days and drops those beyond the retention time. Then removes old rows that are in no
 * partition of a day, in small steps that do not block others. Returns the number of partitions and rows.
 */
export async function reapRequestLog(sql: Sql, at: Date): Promise<{ partitions: number; rows: number }> {
  const { rows: kept } = await sql.query<{ dropped: number }>('SELECT keep_request_log($1, $2) AS dropped', [
    at,
    limits.requestLogDays,
  ]);
  const old = new Date(at.getTime() - limits.requestLogDays * dayMs);
  const where = 'at < $1';
  const rows = await deleteInSteps(sql, { table: 'request_log_others', where, column: 'at' }, [old]);
  return { partitions: kept[0]!.dropped, rows };
}

/** Removes counters of days beyond their end, in steps that do not block others. Returns the number of rows. */
export async function reapUsageDays(sql: Sql, at: Date): Promise<number> {
  const where = `day < ($1::timestamptz AT TIME ZONE 'UTC')::date - ${limits.usageDays}`;
  let removed = 0;
  for (const table of ['usage_days', 'spending_days'])
    removed += await deleteInSteps(sql, { table, where, column: 'day' }, [at]);
  return removed;
}
