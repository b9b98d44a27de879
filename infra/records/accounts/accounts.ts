import { newAccountLimits } from '../../contract/limits.ts';
import { prices } from '../../contract/prices.ts';
import type { MicroUsd } from '../../contract/prices.ts';
import { credit, openWallet } from '../ledger/index.ts';
import { isUniqueViolation } from '../../drivers/postgres/index.ts';
import type { Sql } from '../../drivers/postgres/index.ts';
import { AccountError } from './errors.ts';

/** Limits the operator sets; null takes a cap away. */
export interface AccountLimits {
  readonly rps: number;
  readonly burst: number;
  readonly concurrency: number;
  readonly dailyEstimates: number;
  readonly dailyCapMicroUsd: MicroUsd | null;
  readonly monthlyCapMicroUsd: MicroUsd | null;
  readonly dailyWindows: bigint | null;
  readonly monthlyWindows: bigint | null;
}

export interface Account extends AccountLimits {
  readonly id: string;
  readonly email: string;
  readonly passwordHash: string | null;
  readonly termsAcceptedAt: Date | null;
  readonly suspendedAt: Date | null;
  readonly createdAt: Date;
}

const columns = `
  id, email, password_hash AS "passwordHash", terms_accepted_at AS "termsAcceptedAt", suspended_at AS "suspendedAt",
  created_at AS "createdAt", rps, burst, concurrency, daily_estimates AS "dailyEstimates", daily_cap_micro_usd AS "dailyCapMicroUsd",
  monthly_cap_micro_usd AS "monthlyCapMicroUsd", daily_windows AS "dailyWindows", monthly_windows AS "monthlyWindows"`;

/**
 * Creates an account with its wallet and the free credit of a new account; call it inside a transaction, with what
 * `hashPassword` made before it, which takes a tenth of a second.
 */
export async function createAccount(
  sql: Sql,
  o: { email: string; passwordHash: string; acceptTerms: boolean; at: Date },
): Promise<Account> {
  const email = o.email.trim();
  if (email.length > 254 || !/^[^\s@]+@[^\s@]+$/.test(email))
    throw new AccountError(`"${o.email}" is not an e-mail address.`);
  const { rows } = await sql
    .query<Account>(
      `INSERT INTO accounts (email, password_hash, terms_accepted_at, created_at, rps, burst, concurrency,
        daily_estimates)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING ${columns}`,
      [
        email,
        o.passwordHash,
        o.acceptTerms ? o.at : null,
        o.at,
        newAccountLimits.rps,
        newAccountLimits.burst,
        newAccountLimits.concurrency,
        newAccountLimits.dailyEstimates,
      ],
    )
    .catch((cause: unknown) => {
      throw isUniqueViolation(cause, 'accounts_email_key')
        ? new AccountError(`There is already an account for ${email}.`, { cause })
        : cause;
    });
  const account = rows[0]!;
  await openWallet(sql, account.id);
  await credit(sql, { accountId: account.id, amount: prices.newAccountCredit, source: 'free', at: o.at });
  return account;
}

/** Null when there is no such account. */
export async function findAccount(sql: Sql, by: { id: string } | { email: string }): Promise<Account | null> {
  const [condition, value] = 'id' in by ? ['id = $1', by.id] : ['lower(email) = lower($1)', by.email.trim()];
  if ('id' in by && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(by.id)) return null;
  const { rows } = await sql.query<Account>(`SELECT ${columns} FROM accounts WHERE ${condition}`, [value]);
  return rows[0] ?? null;
}

/** Records that the terms of service were accepted; keys can be made from then on. The first acceptance stays. */
export async function acceptTerms(sql: Sql, accountId: string, at: Date): Promise<void> {
  await change(sql, accountId, 'terms_accepted_at = coalesce(terms_accepted_at, $2)', [at]);
}

/** Pauses an account: its keys answer 403 TENANT_SUSPENDED from the next request on. */
export async function suspend(sql: Sql, accountId: string, at: Date): Promise<void> {
  await change(sql, accountId, 'suspended_at = coalesce(suspended_at, $2)', [at]);
}

export async function resume(sql: Sql, accountId: string): Promise<void> {
  await change(sql, accountId, 'suspended_at = NULL', []);
}

const limitColumns: Readonly<Record<keyof AccountLimits, string>> = {
  rps: 'rps',
  burst: 'burst',
  concurrency: 'concurrency',
  dailyEstimates: 'daily_estimates',
  dailyCapMicroUsd: 'daily_cap_micro_usd',
  monthlyCapMicroUsd: 'monthly_cap_micro_usd',
  dailyWindows: 'daily_windows',
  monthlyWindows: 'monthly_windows',
};

/** Changes the limits that are given and returns all of them. */
export async function setLimits(sql: Sql, accountId: string, limits: Partial<AccountLimits>): Promise<AccountLimits> {
  const given = (Object.keys(limitColumns) as (keyof AccountLimits)[]).filter((name) => limits[name] !== undefined);
  if (given.length > 0) {
    await change(
      sql,
      accountId,
      given.map((name, i) => `${limitColumns[name]} = $${i + 2}`).join(', '),
      given.map((name) => limits[name]),
    );
  }
  const account = await findAccount(sql, { id: accountId });
  if (!account) throw new AccountError(`There is no account ${accountId}.`);
  return account;
}

async function change(sql: Sql, accountId: string, assignments: string, values: readonly unknown[]): Promise<void> {
  const known = await findAccount(sql, { id: accountId });
  if (!known) throw new AccountError(`There is no account ${accountId}.`);
  await sql.query(`UPDATE accounts SET ${assignments} WHERE id = $1`, [accountId, ...values]);
}
