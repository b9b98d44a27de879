import type { MicroUsd } from '../../contract/prices.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';

/** A wallet and the caps of its account. Null: no cap. */
export interface Wallet {
  readonly balance: MicroUsd;
  readonly held: MicroUsd;
  readonly dailyCap: MicroUsd | null;
  readonly monthlyCap: MicroUsd | null;
  readonly dailyWindows: bigint | null;
  readonly monthlyWindows: bigint | null;
  /** Daily allowance of test keys only. */
  readonly dailyTestWindows: bigint | null;
}

const select = `
  SELECT w.balance, w.held, a.daily_cap_micro_usd AS "dailyCap", a.monthly_cap_micro_usd AS "monthlyCap",
         a.daily_windows AS "dailyWindows", a.monthly_windows AS "monthlyWindows",
         a.daily_test_windows AS "dailyTestWindows"
  FROM wallets w JOIN accounts a ON a.id = w.account_id WHERE w.account_id = $1`;

/** Reads the wallet; with `lock`, other charges on it wait until this transaction ends. */
export async function readWallet(sql: Sql, accountId: string, lock: boolean): Promise<Wallet> {
  const { rows } = await sql.query<Wallet>(lock ? `${select} FOR NO KEY UPDATE OF w` : select, [accountId]);
  if (rows.length === 0) throw new Error(`Account ${accountId} has no wallet.`);
  return rows[0]!;
}

/**
 * Makes other charges, creates and batches of the account wait until this transaction ends, so that they cannot exceed
 * a quota concurrently.
 */
export async function lockWallet(sql: Sql, accountId: string): Promise<void> {
  await sql.query('SELECT FROM wallets WHERE account_id = $1 FOR NO KEY UPDATE', [accountId]);
}

/** The amount that an account can spend now, and the amount that open holds reserve. */
export async function balance(sql: Sql, accountId: string): Promise<{ available: MicroUsd; held: MicroUsd }> {
  const wallet = await readWallet(sql, accountId, false);
  return { available: wallet.balance, held: wallet.held };
}
