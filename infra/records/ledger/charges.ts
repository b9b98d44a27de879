import { dayMs, limits } from '../../contract/limits.ts';
import { prices, type MicroUsd, type Prices } from '../../contract/prices.ts';
import type { KeyMode } from '../../contract/task-model.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';
import { post } from './post.ts';
import { requireBudget, requireCredit, requireWindows } from './refusals.ts';
import { readWallet } from './wallet.ts';

const month = limits.hostingDays * dayMs;

/**
 * Hosting month `period` (from 1) of a model fitted at `fittedAt`: whole 30-day months, each starting where the last
 * one ended.
 */
export function hostingMonth(fittedAt: Date, period: number): { startsAt: Date; endsAt: Date } {
  const start = fittedAt.getTime() + (period - 1) * month;
  return { startsAt: new Date(start), endsAt: new Date(start + month) };
}

export interface Charge {
  readonly accountId: string;
  readonly mode: KeyMode;
  readonly modelId: string;
  readonly at: Date;
}

export interface WindowsCharge extends Charge {
  readonly kind: 'task_models.predict';
  readonly windows: number;
}

export interface HostingCharge extends Charge {
  readonly kind: 'task_models.hosting';
  readonly period: number;
  readonly fittedAt: Date;
}

/**
 * Takes a charge from the wallet, in the caller's transaction. Throws INSUFFICIENT_CREDIT, BUDGET_EXCEEDED or, for
 * windows, USAGE_CAP_EXCEEDED. Test mode counts the windows and writes no ledger row. The unit price comes from
 * `current` and is stored with the line.
 */
export async function charge(
  sql: Sql,
  c: WindowsCharge | HostingCharge,
  current: Pick<Prices, 'window' | 'hostingMonth'> = prices,
): Promise<void> {
  if (c.mode === 'test' && c.kind === 'task_models.hosting') return;
  const wallet = await readWallet(sql, c.accountId, true);
  if (c.kind === 'task_models.predict') await requireWindows(sql, wallet, c);
  if (c.mode === 'test') {
    await countTestWindows(sql, c as WindowsCharge);
    return;
  }
  const hosting = c.kind === 'task_models.hosting';
  const unitPrice = hosting ? current.hostingMonth : current.window;
  const amount = hosting ? unitPrice : unitPrice * BigInt(c.windows);
  requireCredit(wallet, amount, hosting ? undefined : unitPrice);
  await requireBudget(sql, wallet, c.accountId, amount, c.at);
  await post(sql, { ...c, ...(hosting && hostingMonth(c.fittedAt, c.period)), unitPrice, amount });
}

/** Throws what `reserve` would throw now, but reserves nothing: for estimates. */
export async function assertAffordable(
  sql: Sql,
  o: { accountId: string; mode: KeyMode; amount: MicroUsd; at: Date },
): Promise<void> {
  if (o.mode === 'test') return;
  const wallet = await readWallet(sql, o.accountId, false);
  requireCredit(wallet, o.amount);
  await requireBudget(sql, wallet, o.accountId, o.amount, o.at);
}

/** Throws what a charge of the windows would throw now, but charges nothing. */
export async function assertWindows(
  sql: Sql,
  o: { accountId: string; mode: KeyMode; windows: number; at: Date },
  { window }: Pick<Prices, 'window'> = prices,
): Promise<void> {
  const wallet = await readWallet(sql, o.accountId, false);
  await requireWindows(sql, wallet, o);
  if (o.mode === 'test') return;
  const amount = window * BigInt(o.windows);
  requireCredit(wallet, amount, window);
  await requireBudget(sql, wallet, o.accountId, amount, o.at);
}

async function countTestWindows(sql: Sql, c: WindowsCharge): Promise<void> {
  await sql.query(
    `INSERT INTO spending_days AS d (account_id, mode, day, kind, windows) VALUES ($1, 'test', $2, $3, $4)
     ON CONFLICT (account_id, day, mode, kind) DO UPDATE SET windows = d.windows + excluded.windows`,
    [c.accountId, c.at.toISOString().slice(0, 10), c.kind, c.windows],
  );
}
