import { formatUsd, parseUsd } from '../../../infra/contract/prices.ts';
import { quotaNames, quotas } from '../../../infra/contract/quotas.ts';
import { transaction, type Sql } from '../../../infra/drivers/postgres/transaction.ts';
import { findAccount, setLimits } from '../../../infra/records/accounts/accounts.ts';
import { quotaUses } from '../../../infra/records/quotas/uses.ts';
import { spending } from '../../../infra/records/ledger/spending.ts';
import { renewUnpaid } from '../../../infra/records/task-models/hosting.ts';
import type { AccountLimitsAnswer } from '../contract/responses.ts';
import { changeCaps } from '../contract/requests.ts';
import { accountRoute, type Session } from '../route.ts';

const cap = (amount: bigint | null): string | null => (amount === null ? null : formatUsd(amount));
const count = (windows: bigint | null): number | null => (windows === null ? null : Number(windows));

async function limitsOf(sql: Sql, { accountId, at }: Session): Promise<AccountLimitsAnswer> {
  const account = (await findAccount(sql, { id: accountId }))!;
  const { today, month } = await spending(sql, accountId, at, 'live');
  const uses = await quotaUses(sql, { accountId, at });
  return {
    daily_cap_usd: cap(account.dailyCapMicroUsd),
    monthly_cap_usd: cap(account.monthlyCapMicroUsd),
    spent_today_usd: formatUsd(today?.microUsd ?? 0n),
    spent_this_month_usd: formatUsd(month?.microUsd ?? 0n),
    rps: account.rps,
    burst: account.burst,
    concurrency: account.concurrency,
    daily_estimates: account.dailyEstimates,
    daily_windows: count(account.dailyWindows),
    monthly_windows: count(account.monthlyWindows),
    quotas: quotaNames.map((name) => {
      const { kind, unit } = quotas[name];
      const { used, limit, freesAt } = uses[name];
      return { name, kind, unit, used: Number(used), limit: count(limit), frees_at: freesAt?.toISOString() ?? null };
    }),
  };
}

/** undefined: unchanged; null: removed. */
const amountOf = (text: string | null | undefined): bigint | null | undefined =>
  typeof text === 'string' ? parseUsd(text) : text;

/** The limits of the account: it sets its own spending caps, and the operator sets the rest. */
export const limitRoutes = [
  accountRoute({
    signedIn: true,
    method: 'get',
    path: '/limits',
    handle: ({ pool }, session) => limitsOf(pool, session),
  }),
  accountRoute({
    signedIn: true,
    method: 'patch',
    path: '/limits',
    body: changeCaps,
    async handle({ pool, jobs }, session, { body }) {
      const { accountId, at } = session;
      const dailyCapMicroUsd = amountOf(body.daily_cap_usd);
      const monthlyCapMicroUsd = amountOf(body.monthly_cap_usd);
      await transaction(pool, (sql) => setLimits(sql, accountId, { dailyCapMicroUsd, monthlyCapMicroUsd }));
      const paid = await transaction(pool, (sql) => renewUnpaid(sql, accountId, at));
      for (const id of paid) await jobs.refresh(id);
      return await limitsOf(pool, session);
    },
  }),
];
