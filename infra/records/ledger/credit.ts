import type { MicroUsd } from '../../contract/prices.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';
import { post } from './post.ts';
import { lockWallet } from './wallet.ts';

/** Opens an empty wallet; part of creating an account. */
export async function openWallet(sql: Sql, accountId: string): Promise<void> {
  await sql.query('INSERT INTO wallets (account_id) VALUES ($1)', [accountId]);
}

/**
 * Adds credit: the free credit of a new account (once), or credit from the operator. The operator may also take credit
 * back, never below zero. Locks the wallet first, like every other transaction, so that an account's ids are in the
 * order of its commits: a page of the ledger continues below an id.
 */
export async function credit(
  sql: Sql,
  o: { accountId: string; amount: MicroUsd; source: 'free' | 'operator'; at: Date; note?: string },
): Promise<void> {
  const { accountId, amount, source, at, note } = o;
  await lockWallet(sql, accountId);
  await post(sql, {
    accountId,
    kind: `credit.${source}`,
    amount,
    ...(source === 'free' && { unitPrice: amount }),
    at,
    note,
  });
}
