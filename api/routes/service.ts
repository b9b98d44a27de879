import type { FastifyInstance } from 'fastify';
import { findAccount } from '../../infra/records/accounts/index.ts';
import { readServing, usageCounts, type UsageCounts } from '../../infra/records/admission/index.ts';
import { spending, type Spent } from '../../infra/records/ledger/index.ts';
import { formatUsd } from '../../infra/contract/prices.ts';
import type { Usage } from '../contract/responses.ts';
import type { ApiDeps } from '../deps.ts';
import { callerOf } from '../http/request.ts';
import { version } from '../contract/version.ts';

type Block = NonNullable<Usage['today']>;

/** Money from the ledger, counts from the usage record; null when neither holds anything. */
function block(spent: Spent | null, counts: UsageCounts | null): Block | null {
  if (!spent && !counts) return null;
  const kinds = spent?.byKind ?? {};
  const create = kinds['task_models.create_fee'];
  const hosting = kinds['task_models.hosting'];
  return {
    usd: formatUsd(spent?.microUsd ?? 0n),
    windows: String(spent?.windows ?? 0n),
    requests: String(counts?.requests ?? 0n),
    refused: String(counts?.refused ?? 0n),
    estimates: String(counts?.estimates ?? 0n),
    ...(create?.microUsd ? { task_model_create_usd: formatUsd(create.microUsd) } : {}),
    ...(hosting?.microUsd ? { task_model_hosting_usd: formatUsd(hosting.microUsd) } : {}),
  };
}

const counter = (value: number | bigint | null): string | null => (value === null ? null : String(value));
const amount = (value: bigint | null): string | null => (value === null ? null : formatUsd(value));

export function serviceRoutes(app: FastifyInstance, deps: ApiDeps): void {
  app.get('/healthz', async () => ({ status: 'ok' }));

  app.get('/v1/status', async () => {
    const { serving, message } = await readServing(deps.pool);
    return { object: 'status', serving, message, version };
  });

  app.get(
    '/v1/usage',
    { config: { endpoint: 'usage.read', scopes: ['usage:read'] } },
    async (request): Promise<Usage> => {
      const { accountId, mode, at } = callerOf(request);
      const [account, spent, counts] = await Promise.all([
        findAccount(deps.pool, { id: accountId }),
        spending(deps.pool, accountId, at, mode),
        usageCounts(deps.pool, { accountId, mode, at }),
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
    },
  );
}
