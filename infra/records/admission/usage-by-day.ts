import { dayMs } from '../../contract/limits.ts';
import type { MicroUsd } from '../../contract/prices.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';

/** A UTC day of an account. Money is only of live keys, less refunds. */
export interface UsageDay {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly requests: bigint;
  readonly refused: bigint;
  readonly windows: bigint;
  readonly testWindows: bigint;
  readonly createMicroUsd: MicroUsd;
  readonly hostingMicroUsd: MicroUsd;
  readonly predictMicroUsd: MicroUsd;
  readonly microUsd: MicroUsd;
}

/** The last `days` UTC days up to the day of `at`, oldest first, including days without usage. */
export async function usageByDay(
  sql: Sql,
  { accountId, days, at }: { accountId: string; days: number; at: Date },
): Promise<UsageDay[]> {
  const last = at.toISOString().slice(0, 10);
  const first = new Date(at.getTime() - (days - 1) * dayMs).toISOString().slice(0, 10);
  const { rows } = await sql.query<UsageDay>(
    `WITH counted AS (
       SELECT day, sum(requests) AS requests, sum(requests) FILTER (WHERE status >= 400) AS refused
       FROM usage_days WHERE account_id = $1 AND day BETWEEN $2::date AND $3::date GROUP BY day),
     spent AS (
       SELECT day, sum(windows) FILTER (WHERE mode = 'live') AS windows,
              sum(windows) FILTER (WHERE mode = 'test') AS test_windows,
              sum(micro_usd) FILTER (WHERE kind = 'task_models.create_fee') AS created,
              sum(micro_usd) FILTER (WHERE kind IN ('task_models.hosting', 'task_models.hosting_refund')) AS hosted,
              sum(micro_usd) FILTER (WHERE kind = 'task_models.predict') AS predicted, sum(micro_usd) AS all_of_it
       FROM spending_days WHERE account_id = $1 AND day BETWEEN $2::date AND $3::date GROUP BY day)
     SELECT to_char(d.day, 'YYYY-MM-DD') AS day, coalesce(c.requests, 0)::bigint AS requests,
            coalesce(c.refused, 0)::bigint AS refused, coalesce(s.windows, 0)::bigint AS windows,
            coalesce(s.test_windows, 0)::bigint AS "testWindows", coalesce(s.created, 0)::bigint AS "createMicroUsd",
            coalesce(s.hosted, 0)::bigint AS "hostingMicroUsd", coalesce(s.predicted, 0)::bigint AS "predictMicroUsd",
            coalesce(s.all_of_it, 0)::bigint AS "microUsd"
     FROM generate_series($2::date::timestamp, $3::date::timestamp, interval '1 day') AS d (day)
     LEFT JOIN counted c ON c.day = d.day LEFT JOIN spent s ON s.day = d.day ORDER BY d.day`,
    [accountId, first, last],
  );
  return rows;
}
