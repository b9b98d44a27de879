import type { KeyMode } from '../../contract/task-model.ts';
import { prepared } from '../../drivers/postgres/prepared.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';
import type { QuotaName, QuotaUses } from '../../contract/quotas.ts';
import type { AccountLimits } from '../accounts/accounts.ts';
import { spendingOf, spendingRows, type Spending, type SpendingRow } from '../ledger/spending.ts';
import { usesOf, usesRow, type UsesRow } from '../quotas/uses.ts';
import { countsOf, countsRows, type CountsRow, type UsageCounts } from './usage.ts';

export interface UsageReport {
  readonly limits: Omit<AccountLimits, QuotaName>;
  readonly quotas: QuotaUses;
  readonly spent: Spending;
  readonly counts: { readonly today: UsageCounts | null; readonly month: UsageCounts | null };
}

/** Large numbers are strings in JSON. */
type AsText<T> = {
  readonly [K in keyof T]: T[K] extends bigint ? string : T[K] extends bigint | null ? string | null : T[K];
};

const statement = `
  SELECT a.rps, a.burst, a.concurrency, a.daily_estimates AS "dailyEstimates", a.daily_cap_micro_usd AS "dailyCapMicroUsd",
         a.monthly_cap_micro_usd AS "monthlyCapMicroUsd", a.daily_windows AS "dailyWindows",
         a.monthly_windows AS "monthlyWindows",
         (SELECT coalesce(json_agg(json_build_object('kind', s.kind, 'windows', s.windows::text,
            'micro_usd', s.micro_usd::text, 'today_windows', s.today_windows::text,
            'today_micro_usd', s.today_micro_usd::text)), '[]') FROM (${spendingRows('$1', '$2', '$3')}) AS s) AS spent,
         (${usesRow('$1', '$4')}) AS quotas,
         (SELECT coalesce(json_agg(json_build_object('period', c.period, 'requests', c.requests::text,
            'refused', c.refused::text, 'refusedByCode', c."refusedByCode", 'windows', c.windows::text,
            'estimates', c.estimates::text)), '[]') FROM (${countsRows('$1', '$3', '$4')}) AS c) AS counts
  FROM accounts a WHERE a.id = $1`;

const number = (text: string): bigint => BigInt(text);
const maybe = (text: string | null): bigint | null => (text === null ? null : BigInt(text));

/** Usage of an account with keys of one mode in the UTC day and month of `at`, and its limits, in one round trip. */
export async function usageReport(
  sql: Sql,
  { accountId, mode, at }: { accountId: string; mode: KeyMode; at: Date },
): Promise<UsageReport> {
  const { rows } = await prepared<
    Omit<AccountLimits, QuotaName> & {
      readonly spent: AsText<SpendingRow>[];
      readonly counts: AsText<CountsRow>[];
      readonly quotas: UsesRow;
    }
  >(sql, statement, [accountId, at.toISOString().slice(0, 10), mode, at]);
  if (!rows[0]) throw new Error(`There is no account ${accountId}.`);
  const { spent, counts, quotas, ...limits } = rows[0];
  return {
    limits,
    quotas: usesOf(quotas, at),
    spent: spendingOf(
      spent.map(({ kind, windows, micro_usd, today_windows, today_micro_usd }) => ({
        kind,
        windows: number(windows),
        micro_usd: number(micro_usd),
        today_windows: maybe(today_windows),
        today_micro_usd: maybe(today_micro_usd),
      })),
    ),
    counts: countsOf(
      counts.map(({ requests, refused, windows, estimates, ...row }) => ({
        ...row,
        requests: number(requests),
        refused: number(refused),
        windows: number(windows),
        estimates: number(estimates),
      })),
    ),
  };
}
