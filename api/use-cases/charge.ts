import { recordUsage } from '../../infra/records/admission/usage.ts';
import { assertWindows, charge } from '../../infra/records/ledger/charges.ts';
import type { Sql } from '../../infra/drivers/postgres/transaction.ts';
import { formatUsd, prices, type MicroUsd } from '../../infra/contract/prices.ts';
import type { Cost } from '../../infra/contract/task-model.ts';
import type { RequestContext, Caller } from '../http/request.ts';

/** Price of windows: `prices.window` each with a live key, nothing with a test key. */
export const microUsdOf = (mode: Caller['mode'], windows: number): MicroUsd =>
  mode === 'live' ? prices.window * BigInt(windows) : 0n;

/** The `cost` field of an answer that charged windows only. */
export const windowsCost = ({ mode }: Pick<Caller, 'mode'>, windows: number): Cost => ({
  usd: formatUsd(microUsdOf(mode, windows)),
  windows,
});

/**
 * Throws the error that charging the windows would throw now, before anything is computed. If the balance at admission
 * is sufficient, it makes no database query. Otherwise the ledger decides.
 */
export async function requireWindowFunds(
  sql: Sql,
  { accountId, mode, at, funds }: Pick<Caller, 'accountId' | 'mode' | 'at' | 'funds'>,
  windows: number,
): Promise<void> {
  const isAllowed = funds.windowsLeft === null || funds.windowsLeft >= BigInt(windows);
  if (!funds.capped && isAllowed && funds.available >= microUsdOf(mode, windows)) return;
  await assertWindows(sql, { accountId, mode, windows, at });
}

export interface WindowsUse {
  readonly modelId: string;
  readonly windows: number;
  /** HTTP status of the answer. */
  readonly status: number;
}

/** Charges windows and records the usage, in the transaction that stores the answer. */
export async function chargeWindows(
  sql: Sql,
  { caller, usage, requestId }: RequestContext,
  { modelId, windows, status }: WindowsUse,
): Promise<void> {
  const { accountId, keyId, mode, at } = caller;
  usage.charged = microUsdOf(mode, windows);
  await charge(sql, { accountId, mode, modelId, kind: 'task_models.predict', windows, at });
  await recordUsage(sql, {
    accountId,
    keyId,
    mode,
    endpoint: usage.endpoint,
    status,
    code: 'ok',
    windows,
    microUsd: microUsdOf(mode, windows),
    requestId,
    at,
  });
}
