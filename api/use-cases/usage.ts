import { usageReport } from '../../infra/records/admission/usage-report.ts';
import type { UsageCounts } from '../../infra/records/admission/usage.ts';
import type { Spent } from '../../infra/records/ledger/spending.ts';
import { formatUsd } from '../../infra/contract/prices.ts';
import { quotaNames, quotas, type QuotaUses } from '../../infra/contract/quotas.ts';
import type { Usage } from '../contract/responses.ts';
import type { ApiDeps } from '../deps.ts';
import type { Caller } from '../http/request.ts';

/** Money from the ledger, counts from the usage record; null if both are empty. */
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

const seconds = (at: Date | null): number | null => at && Math.floor(at.getTime() / 1000);

const quotasOf = (uses: QuotaUses): Usage['limits']['quotas'] =>
  Object.fromEntries(
    quotaNames.map((name) => {
      const { used, limit, freesAt } = uses[name];
      const isDaily = quotas[name].kind === 'daily';
      const times = { resets_at: isDaily ? seconds(freesAt) : null, next_expiry_at: isDaily ? null : seconds(freesAt) };
      return [quotas[name].column, { used: String(used), limit: counter(limit), ...times }];
    }),
  ) as Usage['limits']['quotas'];

/** Usage of the account today and this month (UTC), and its limits. */
export async function readUsage({ pool }: Pick<ApiDeps, 'pool'>, { accountId, mode, at }: Caller): Promise<Usage> {
  const { limits, quotas: uses, spent, counts } = await usageReport(pool, { accountId, mode, at });
  return {
    object: 'usage',
    today: block(spent.today, counts.today),
    month: block(spent.month, counts.month),
    limits: {
      rps: String(limits.rps),
      burst: String(limits.burst),
      concurrency: String(limits.concurrency),
      daily_estimates: String(limits.dailyEstimates),
      daily_cap_usd: amount(limits.dailyCapMicroUsd),
      monthly_cap_usd: amount(limits.monthlyCapMicroUsd),
      daily_windows: counter(limits.dailyWindows),
      monthly_windows: counter(limits.monthlyWindows),
      quotas: quotasOf(uses),
    },
  };
}
