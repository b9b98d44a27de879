import { prices } from '../../contract/prices.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';
import { credit } from '../ledger/credit.ts';
import { AccountError } from './account-error.ts';

export const signUpModes = ['open', 'invitation', 'closed'] as const;
export const freeCreditChoices = ['at-once', 'waits'] as const;

/** Who may sign up, and whether the free credit waits for the operator's approval. */
export interface SignUpPolicy {
  readonly mode: (typeof signUpModes)[number];
  readonly freeCredit: (typeof freeCreditChoices)[number];
}

export async function readSignUpPolicy(sql: Sql): Promise<SignUpPolicy> {
  const { rows } = await sql.query<SignUpPolicy>('SELECT mode, free_credit AS "freeCredit" FROM sign_up_policy');
  return rows[0]!;
}

/** Changes the given settings and returns the current policy. */
export async function setSignUpPolicy(sql: Sql, change: Partial<SignUpPolicy>): Promise<SignUpPolicy> {
  const { rows } = await sql.query<SignUpPolicy>(
    `UPDATE sign_up_policy SET mode = coalesce($1, mode), free_credit = coalesce($2, free_credit)
     RETURNING mode, free_credit AS "freeCredit"`,
    [change.mode ?? null, change.freeCredit ?? null],
  );
  return rows[0]!;
}

/** Whether a closed account had this address; waits if one is being closed. */
export async function wasClosed(sql: Sql, email: string): Promise<boolean> {
  await sql.query('SELECT FROM accounts WHERE lower(email) = lower($1) FOR SHARE', [email]);
  const { rowCount } = await sql.query(
    `SELECT FROM closed_addresses WHERE email_hash = address_hash(sha256(convert_to(lower($1), 'UTF8')))`,
    [email],
  );
  return rowCount === 1;
}

/** Adds the waiting free credit; call it inside a transaction. AccountError if none waits. */
export async function approveCredit(sql: Sql, accountId: string, at: Date): Promise<void> {
  const { rowCount } = await sql.query(
    `UPDATE accounts SET credit_waits_since = NULL
     WHERE id::text = $1 AND credit_waits_since IS NOT NULL AND closed_at IS NULL`,
    [accountId],
  );
  if (rowCount !== 1) throw new AccountError(`No free credit waits for an account ${accountId}.`);
  await credit(sql, { accountId, amount: prices.newAccountCredit, source: 'free', at });
}
