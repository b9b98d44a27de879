import { findAccount } from '../../infra/records/accounts/index.ts';
import { usageCounts, type UsageCounts } from '../../infra/records/admission/index.ts';
import { spending, type Spent } from '../../infra/records/ledger/index.ts';
import { formatUsd } from '../../infra/contract/prices.ts';
import type { Usage } from '../contract/responses.ts';
import type { ApiDeps } from '../deps.ts';
import type { Caller } from '../http/request.ts';

/** Money from the ledger, counts from the usage record; null when neither holds anything. */
function block(spent: Spent | null, counts: UsageCounts | null): Usage['today'] {
  if (!spent && !counts) return null;
  const kinds = spent?.byKind ?? {};
  const create = kinds['task_models.create_fee'];
  const hosting =
    (kinds['task_models.hosting']?.microUsd ?? 0n) + (kinds['task_models.hosting_refund']?.microUsd ?? 0n);
  return {
    usd: formatUsd(spent?.microUsd ?? 0n),
    windows: String(spent?.windows ?? 0n),
    requests: String(counts?.requests ?? 0n),
    refused: String(counts?.refused ?? 0n),
    refused_by_code: counts?.refusedByCode ?? {},
    estimates: String(counts?.estimates ?? 0n),
    ...(create?.microUsd ? { task_model_create_usd: formatUsd(create.microUsd) } : {}),
    ...(kinds['task_models.hosting'] ? { task_model_hosting_usd: formatUsd(hosting) } : {}),
  };
}

const counter = (value: number | bigint | null): string | null => (value === null ? null : String(value));
const amount = (value: bigint | null): string | null => (value === null ? null : formatUsd(value));

/** What the account used today and this month (UTC), and its limits. */
export async function readUsage({ pool }: Pick<ApiDeps, 'pool'>, { accountId, mode, at }: Caller): Promise<Usage> {
  const [account, spent, counts] = await Promise.all([
    findAccount(pool, { id: accountId }),
    spending(pool, accountId, at, mode),
    usageCounts(pool, { accountId, mode, at }),
  ]);
  return {
    object: 'usage',
    today: block(spent.today, counts.today),
    month: block(spent.month, counts.month),
    limits: {
      rps: String(account!.rps),
      burst: String(account!.burst),
      concurrency: String(account!.concurrency),
      daily_estimates: String(account!.dailyEstimates),
      daily_cap_usd: amount(account!.dailyCapMicroUsd),
      monthly_cap_usd: amount(account!.monthlyCapMicroUsd),
      daily_windows: counter(account!.dailyWindows),
      monthly_windows: counter(account!.monthlyWindows),
    },
  };
}
