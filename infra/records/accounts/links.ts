import type { MicroUsd } from '../../contract/prices.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';
import { hashToken, newToken } from './tokens.ts';

/** Hours for which a link works, by what it is for. */
export const linkHours = { reset: 24, sign_in: 1, invitation: 7 * 24 } as const;

/**
 * The page that a link opens. The token stands behind #, which browsers keep to themselves: it reaches no server and no
 * log until the page sends it.
 */
export const linkPaths: Readonly<Record<keyof typeof linkHours, (token: string) => string>> = {
  reset: (token) => `/dashboard/reset#token=${token}`,
  sign_in: (token) => `/dashboard/link#token=${token}`,
  invitation: (token) => `/dashboard/sign-up#invitation=${token}`,
};

/** What an invitation allows: sign-up for one address, or for any; with credit of the operator, or without. */
export interface Invitation {
  readonly email: string | null;
  readonly microUsd: MicroUsd | null;
}

interface MadeLink {
  /** Shown once: only its hash is stored. */
  readonly token: string;
  readonly expiresAt: Date;
}

async function insertLink(
  sql: Sql,
  purpose: keyof typeof linkHours,
  { accountId = null, email = null, microUsd = null }: Partial<Invitation> & { accountId?: string | null },
): Promise<MadeLink> {
  const { token, hash } = newToken();
  const {
    rows: [row],
  } = await sql.query<{ expires_at: Date }>(
    `INSERT INTO account_links (token_hash, purpose, account_id, email, micro_usd, created_at, expires_at)
     SELECT $1, $2, $3, $4, $5, at, at + make_interval(hours => $6) FROM clock_timestamp() AS at RETURNING expires_at`,
    [hash, purpose, accountId, email, microUsd, linkHours[purpose]],
  );
  return { token, expiresAt: row!.expires_at };
}

/** A link that sets a new password once (`reset`), or that signs in once (`sign_in`). */
export const makeLink = (sql: Sql, purpose: 'reset' | 'sign_in', accountId: string): Promise<MadeLink> =>
  insertLink(sql, purpose, { accountId });

/** A link that one account may be made with. */
export const makeInvitation = (sql: Sql, invitation: Invitation): Promise<MadeLink> =>
  insertLink(sql, 'invitation', invitation);

/** Uses a link up; the account it is for, or null where it was used, has expired, or never was. */
export async function takeLink(sql: Sql, purpose: 'reset' | 'sign_in', token: string): Promise<string | null> {
  const {
    rows: [row],
  } = await sql.query<{ account_id: string }>(
    `DELETE FROM account_links WHERE token_hash = $1 AND purpose = $2 AND expires_at > clock_timestamp()
     RETURNING account_id`,
    [hashToken(token), purpose],
  );
  return row?.account_id ?? null;
}

/** Uses an invitation up, where it is for this address or for any; else null. */
export async function takeInvitation(sql: Sql, token: string, email: string): Promise<Invitation | null> {
  const { rows } = await sql.query<Invitation>(
    `DELETE FROM account_links WHERE token_hash = $1 AND purpose = 'invitation' AND expires_at > clock_timestamp()
       AND (email IS NULL OR lower(email) = lower($2))
     RETURNING email, micro_usd AS "microUsd"`,
    [hashToken(token), email],
  );
  return rows[0] ?? null;
}

/** Ends the links of an account that were not used yet. */
export async function endLinks(sql: Sql, accountId: string): Promise<void> {
  await sql.query('DELETE FROM account_links WHERE account_id = $1', [accountId]);
}
