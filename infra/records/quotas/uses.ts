import { dayMs, limits } from '../../contract/limits.ts';
import { quotaNames, quotas, type QuotaName, type QuotaUses } from '../../contract/quotas.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';

/** The used amount of each quota and its next expiry, from the rows that `sources` names. */
const uses: Readonly<Record<QuotaName, { readonly used: string; readonly freesAt?: string }>> = {
  dailyTestCreates: { used: 'c.creates' },
  dailyTestWindows: { used: 'test_windows(a.id, $at)' },
  collectingModels: { used: 'm.collecting', freesAt: 'm.collecting_until' },
  testModels: { used: 'm.test + f.test', freesAt: `m.oldest_test + interval '${limits.testModelDays * 24} hours'` },
  liveModels: { used: 'm.live + f.live' },
  runningFits: { used: 'f.running' },
  batchBytes: { used: 'm.batch_bytes', freesAt: 'm.batches_until' },
  storedAnswers: { used: 's.answers', freesAt: 's.expires' },
  storedAnswerBytes: { used: 's.bytes', freesAt: 's.expires' },
};

/**
 * The amounts of an account `a`. Running creates count as fitted models too, and a collecting model while its fit runs.
 */
const sources = `
  LATERAL (
    SELECT count(*) FILTER (WHERE collects) AS collecting, count(*) FILTER (WHERE NOT collects AND mode = 'test') AS test,
           count(*) FILTER (WHERE NOT collects AND mode = 'live') AS live,
           coalesce(sum(batch_bytes) FILTER (WHERE collects), 0)::bigint AS batch_bytes,
           min(collect_until) FILTER (WHERE collects) AS collecting_until,
           min(collect_until) FILTER (WHERE collects AND batch_bytes > 0) AS batches_until,
           min(created_at) FILTER (WHERE NOT collects AND mode = 'test') AS oldest_test
    FROM (SELECT t.status = 'collecting' AS collects, t.mode, t.batch_bytes, t.collect_until, t.created_at
          FROM task_models t WHERE t.account_id = a.id AND t.status IN ('fitting', 'collecting', 'active')) AS each) AS m,
  LATERAL (
    SELECT count(*) AS running, count(*) FILTER (WHERE t.mode = 'test') AS test,
           count(*) FILTER (WHERE t.mode = 'live') AS live
    FROM fit_requests r LEFT JOIN task_models t ON t.id = r.model_id AND t.status = 'collecting'
    WHERE r.account_id = a.id AND r.finished_at IS NULL) AS f,
  LATERAL (
    SELECT coalesce(sum(d.answers), 0)::bigint AS answers, coalesce(sum(d.bytes), 0)::bigint AS bytes,
           (min(d.day) + ${limits.idempotencyKeyDays})::timestamp AT TIME ZONE 'UTC' AS expires
    FROM stored_answer_days d WHERE d.account_id = a.id) AS s,
  LATERAL (
    SELECT coalesce(sum(d.creates), 0)::bigint AS creates FROM test_create_days d
    WHERE d.account_id = a.id AND d.day = ($at AT TIME ZONE 'UTC')::date) AS c`;

/** Used amount, limit and seconds until the next expiry, as text. */
export type UsesRow = { readonly [Name in QuotaName]: readonly [string, string | null, number | null] };

/** A UsesRow of one account at an instant, both parameters of the statement. */
export const usesRow = (account: string, at: string): string =>
  `SELECT json_build_object(${quotaNames
    .map((name) => {
      const { used, freesAt = 'NULL::timestamptz' } = uses[name];
      return `'${name}', json_build_array((${used})::text, a.${quotas[name].column}::text, extract(epoch FROM ${freesAt}))`;
    })
    .join(', ')}) FROM accounts a, ${sources} WHERE a.id = ${account}`.replaceAll('$at', `${at}::timestamptz`);

/** The next UTC midnight. */
const midnight = (at: Date): Date => new Date((Math.floor(at.getTime() / dayMs) + 1) * dayMs);

export const usesOf = (row: UsesRow, at: Date): QuotaUses =>
  Object.fromEntries(
    quotaNames.map((name) => {
      const [used, limit, seconds] = row[name];
      const expires = seconds === null ? null : new Date(seconds * 1000);
      return [
        name,
        {
          used: BigInt(used),
          limit: limit === null ? null : BigInt(limit),
          freesAt: quotas[name].kind === 'daily' ? midnight(at) : expires,
        },
      ];
    }),
  ) as unknown as QuotaUses;

const statement = usesRow('$1', '$2');

/** The used amount of each quota of an account at an instant. */
export async function quotaUses(
  sql: Sql,
  { accountId, at }: { readonly accountId: string; readonly at: Date },
): Promise<QuotaUses> {
  const { rows } = await sql.query<{ json_build_object: UsesRow }>(statement, [accountId, at]);
  if (!rows[0]) throw new Error(`There is no account ${accountId}.`);
  return usesOf(rows[0].json_build_object, at);
}
