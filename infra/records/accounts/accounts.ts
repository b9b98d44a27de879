import { terms } from '../../contract/terms.ts';
import { newAccountLimits } from '../../contract/limits.ts';
import { prices, type MicroUsd } from '../../contract/prices.ts';
import { quotaNames, quotas, type AccountQuotas, type QuotaName } from '../../contract/quotas.ts';
import { unseenIn } from '../../contract/unseen.ts';
import { credit, openWallet } from '../ledger/credit.ts';
import { isUniqueViolation } from '../../drivers/postgres/errors.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';
import { AccountError } from './account-error.ts';
import type { SignUpPolicy } from './sign-up.ts';
import { recordAcceptance } from './terms.ts';

/** Limits that the operator sets; null removes a cap. */
export interface AccountLimits extends AccountQuotas {
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
  /** Since when the free credit waits for the operator's approval. */
  readonly creditWaitsSince: Date | null;
  readonly closedAt: Date | null;
  readonly createdAt: Date;
}

/** Columns of AccountQuotas. */
const quotaColumns = quotaNames.map((name) => `${quotas[name].column} AS "${name}"`).join(', ');

const columns = `
  id, email, password_hash AS "passwordHash", terms_accepted_at AS "termsAcceptedAt", suspended_at AS "suspendedAt",
  credit_waits_since AS "creditWaitsSince", closed_at AS "closedAt", created_at AS "createdAt", rps, burst, concurrency, daily_estimates AS "dailyEstimates", daily_cap_micro_usd AS "dailyCapMicroUsd",
  monthly_cap_micro_usd AS "monthlyCapMicroUsd", daily_windows AS "dailyWindows", monthly_windows AS "monthlyWindows", ${quotaColumns}`;

/** Limits of a new account. */
const newQuotas = quotaNames.map((name) => newAccountLimits[name]);

/** Whether a text may be an e-mail address: one @, no space, nothing invisible, at most 254 characters. */
export const isEmail = (text: string): boolean =>
  text.length <= 254 && /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(text) && unseenIn(text) === null;

/** Normalizes an e-mail address for storage and lookup: trims it, in Unicode's form NFC. */
export const emailOf = (text: string): string => text.trim().normalize('NFC');

/**
 * Creates an account with its wallet, and with the free credit unless that `waits`. Call it inside a transaction, with
 * the result of an earlier `hashPassword`. AccountError if the address is invalid or has an account.
 */
export async function createAccount(
  sql: Sql,
  o: {
    email: string;
    passwordHash: string;
    acceptTerms: boolean;
    freeCredit?: SignUpPolicy['freeCredit'];
    at: Date;
  },
): Promise<Account> {
  const email = emailOf(o.email);
  if (!isEmail(email)) throw new AccountError(`"${o.email}" is not an e-mail address.`);
  const waits = o.freeCredit === 'waits';
  const { rows } = await sql
    .query<Account>(
      `INSERT INTO accounts (email, password_hash, credit_waits_since, created_at, rps, burst, concurrency,
        daily_estimates, ${quotaNames.map((name) => quotas[name].column).join(', ')})
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, ${quotaNames.map((_, at) => `$${at + 9}`).join(', ')}) RETURNING ${columns}`,
      [
        email,
        o.passwordHash,
        waits ? o.at : null,
        o.at,
        newAccountLimits.rps,
        newAccountLimits.burst,
        newAccountLimits.concurrency,
        newAccountLimits.dailyEstimates,
        ...newQuotas,
      ],
    )
    .catch((cause: unknown) => {
      throw isUniqueViolation(cause, 'accounts_email_key')
        ? new AccountError(`There is already an account for ${email}.`, { cause })
        : cause;
    });
  const account = rows[0]!;
  await openWallet(sql, account.id);
  if (!waits) await credit(sql, { accountId: account.id, amount: prices.newAccountCredit, source: 'free', at: o.at });
  if (o.acceptTerms) await recordAcceptance(sql, account.id, terms.version, o.at);
  return { ...account, termsAcceptedAt: o.acceptTerms ? o.at : null };
}

/** Null: there is no such account. */
export async function findAccount(sql: Sql, by: { id: string } | { email: string }): Promise<Account | null> {
  const [condition, value] = 'id' in by ? ['id = $1', by.id] : ['lower(email) = lower($1)', emailOf(by.email)];
  if ('id' in by && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(by.id)) return null;
  const { rows } = await sql.query<Account>(`SELECT ${columns} FROM accounts WHERE ${condition}`, [value]);
  return rows[0] ?? null;
}

/** Records that the current terms of service were accepted; keys can be made from then on. */
export async function acceptTerms(sql: Sql, accountId: string, at: Date): Promise<void> {
  if (!(await findAccount(sql, { id: accountId }))) throw new AccountError(`There is no account ${accountId}.`);
  await recordAcceptance(sql, accountId, terms.version, at);
}

/**
 * Sets a new password hash from `hashPassword`, if the account is open and its password hash is still `verified` (null:
 * any). Returns whether it was set.
 */
export async function setPasswordHash(
  sql: Sql,
  accountId: string,
  passwordHash: string,
  verified: string | null = null,
): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE accounts SET password_hash = $2
     WHERE id = $1 AND closed_at IS NULL AND ($3::text IS NULL OR password_hash = $3)`,
    [accountId, passwordHash, verified],
  );
  return rowCount === 1;
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
  ...(Object.fromEntries(quotaNames.map((name) => [name, quotas[name].column])) as Record<QuotaName, string>),
};

/** Changes the given limits and returns all of them. */
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
