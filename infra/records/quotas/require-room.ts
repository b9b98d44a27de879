import type { ApiError } from '../../contract/errors.ts';
import { allowanceUsedUp, storedTooMuch, tooManyFits, type Removable } from '../../contract/quota-errors.ts';
import { quotas, type QuotaName } from '../../contract/quotas.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';
import { quotaUses } from './uses.ts';

export interface Wants {
  readonly accountId: string;
  readonly at: Date;
  /** Amount that a request adds to each quota. */
  readonly adds: Partial<Readonly<Record<QuotaName, bigint>>>;
  /**
   * Whether the caller's transaction has already written the additions. With `lockWallet` no concurrent request can
   * then exceed the quota.
   */
  readonly written?: boolean;
}

/**
 * Throws if a request would exceed a quota of its account: USAGE_CAP_EXCEEDED for a daily allowance,
 * CONCURRENCY_LIMITED for running fits, PAYLOAD_TOO_LARGE for a stored amount.
 */
export async function requireRoom(sql: Sql, { accountId, at, adds, written = false }: Wants): Promise<void> {
  const uses = await quotaUses(sql, { accountId, at });
  for (const [name, wanted] of Object.entries(adds) as [QuotaName, bigint][]) {
    const { used: now, limit, freesAt } = uses[name];
    const used = written ? now - wanted : now;
    if (limit !== null && used + wanted > limit)
      throw await refusal(sql, name, { accountId, at, used, wanted, limit, freesAt });
  }
}

interface Refused {
  readonly accountId: string;
  readonly at: Date;
  readonly used: bigint;
  readonly wanted: bigint;
  readonly limit: bigint;
  readonly freesAt: Date | null;
}

async function refusal(sql: Sql, name: QuotaName, refused: Refused): Promise<ApiError> {
  if (quotas[name].kind === 'daily') return allowanceUsedUp(name, refused);
  if (quotas[name].kind === 'running') return tooManyFits(refused.used, refused.limit);
  return storedTooMuch(name, { ...refused, removable: await removable(sql, name, refused.accountId) });
}

const order = {
  collecting: `status = 'collecting' ORDER BY batch_bytes DESC, created_at, id`,
  test: `status = 'active' AND mode = 'test' ORDER BY created_at, id`,
  live: `status = 'active' AND mode = 'live' ORDER BY created_at, id`,
} as const;

const orders: Partial<Readonly<Record<QuotaName, keyof typeof order>>> = {
  collectingModels: 'collecting',
  batchBytes: 'collecting',
  testModels: 'test',
  liveModels: 'live',
};

/**
 * Models whose deletion frees storage, the best choices first. Models that this transaction has changed are excluded.
 */
async function removable(sql: Sql, name: QuotaName, accountId: string): Promise<Removable[]> {
  const by = orders[name];
  if (by === undefined) return [];
  const { rows } = await sql.query<Removable>(
    `SELECT id, CASE status WHEN 'collecting' THEN batch_bytes END AS bytes FROM task_models
     WHERE account_id = $1 AND xmin IS DISTINCT FROM pg_current_xact_id_if_assigned()::xid AND ${order[by]} LIMIT 3`,
    [accountId],
  );
  return rows;
}
