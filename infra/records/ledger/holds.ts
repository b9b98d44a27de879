import { prices, type MicroUsd, type Prices } from '../../contract/prices.ts';
import type { KeyMode } from '../../contract/task-model.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';
import { hostingMonth } from './charges.ts';
import { post } from './post.ts';
import { requireBudget, requireCredit } from './refusals.ts';
import { readWallet } from './wallet.ts';

type CreatePrices = Pick<Prices, 'createFee' | 'hostingMonth'>;

/** Price of a create or a /fit today: the create fee and the first month of hosting. */
export const createCost: MicroUsd = prices.createFee + prices.hostingMonth;

interface Hold {
  readonly id: string;
  readonly account_id: string;
  readonly model_id: string;
  readonly amount: MicroUsd;
  readonly create_fee: MicroUsd;
  readonly hosting_month: MicroUsd;
  readonly state: 'open' | 'captured' | 'released';
}

/**
 * Reserves the create fee and the first month for a model's create, so that concurrent creates cannot overdraw. The
 * hold stores the prices, and its capture charges them. Returns the hold's id; null in test mode. Throws
 * INSUFFICIENT_CREDIT or BUDGET_EXCEEDED.
 */
export async function reserve(
  sql: Sql,
  o: { accountId: string; mode: KeyMode; modelId: string; at: Date },
  current: CreatePrices = prices,
): Promise<string | null> {
  if (o.mode === 'test') return null;
  const wallet = await readWallet(sql, o.accountId, true);
  const amount = current.createFee + current.hostingMonth;
  requireCredit(wallet, amount);
  await requireBudget(sql, wallet, o.accountId, amount, o.at);
  const { rows } = await sql.query<{ id: string }>(
    `INSERT INTO holds (account_id, model_id, amount, create_fee, hosting_month, created_at) VALUES ($1, $2, $3, $4, $5, $6) RETURNING id`,
    [o.accountId, o.modelId, amount, current.createFee, current.hostingMonth, o.at],
  );
  const holdId = rows[0]!.id;
  await post(sql, { ...o, kind: 'hold.reserve', holdId, amount });
  return holdId;
}

/**
 * Charges the reserved amount of a hold at its stored prices: the create fee and hosting month 1, from `fittedAt`.
 * Returns the sum in micro-dollars. A second capture of the same hold does nothing; a capture after a release or for
 * another model throws. A null hold (test mode) charges nothing.
 */
export async function capture(
  sql: Sql,
  holdId: string | null,
  o: { modelId: string; accountId: string; mode: KeyMode; at: Date; fittedAt: Date },
): Promise<MicroUsd> {
  if (holdId === null) {
    if (o.mode === 'live') throw new Error(`Model ${o.modelId} is live and has no hold to capture.`);
    return 0n;
  }
  const hold = await lockHold(sql, holdId);
  if (hold.model_id !== o.modelId || hold.account_id !== o.accountId)
    throw new Error(`Hold ${holdId} is for model ${hold.model_id}, not ${o.modelId}.`);
  if (hold.state === 'captured') return hold.amount;
  if (hold.state === 'released')
    throw new Error(`Hold ${holdId} of model ${o.modelId} was released and cannot be captured.`);
  await resolve(sql, holdId, 'captured', o.at);
  const common = { accountId: o.accountId, modelId: o.modelId, holdId, at: o.at, from: 'held' } as const;
  await post(sql, {
    ...common,
    kind: 'task_models.create_fee',
    amount: hold.create_fee,
    unitPrice: hold.create_fee,
    period: 0,
  });
  await post(sql, {
    ...common,
    kind: 'task_models.hosting',
    amount: hold.hosting_month,
    unitPrice: hold.hosting_month,
    period: 1,
    ...hostingMonth(o.fittedAt, 1),
  });
  return hold.amount;
}

/**
 * Releases a hold: its credit becomes available again. A second release does nothing; a release after a capture throws.
 */
export async function release(sql: Sql, holdId: string | null, at: Date = new Date()): Promise<void> {
  if (holdId === null) return;
  const hold = await lockHold(sql, holdId);
  if (hold.state === 'released') return;
  if (hold.state === 'captured')
    throw new Error(`Hold ${holdId} of model ${hold.model_id} was captured and cannot be released.`);
  await resolve(sql, holdId, 'released', at);
  await post(sql, {
    accountId: hold.account_id,
    modelId: hold.model_id,
    kind: 'hold.release',
    amount: hold.amount,
    holdId,
    at,
  });
}

async function lockHold(sql: Sql, holdId: string): Promise<Hold> {
  await sql.query('SELECT FROM wallets w JOIN holds h USING (account_id) WHERE h.id = $1 FOR NO KEY UPDATE OF w', [
    holdId,
  ]);
  const { rows } = await sql.query<Hold>(
    'SELECT id, account_id, model_id, amount, create_fee, hosting_month, state FROM holds WHERE id = $1 FOR UPDATE',
    [holdId],
  );
  if (rows.length === 0) throw new Error(`There is no hold ${holdId}.`);
  return rows[0]!;
}

async function resolve(sql: Sql, holdId: string, state: 'captured' | 'released', at: Date): Promise<void> {
  await sql.query('UPDATE holds SET state = $2, resolved_at = $3 WHERE id = $1', [holdId, state, at]);
}
