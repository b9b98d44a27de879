import type { MicroUsd } from '../../contract/prices.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';
import { hashToken, newToken } from './tokens.ts';

/** Validity of a link in hours, by its purpose. */
const linkHours = { reset: 24, sign_in: 1, invitation: 7 * 24 } as const;

/**
 * Address of the page that a link opens. The token is behind #, which browsers do not send: it reaches no server and no
 * log until the page sends it.
 */
export const linkPaths: Readonly<Record<keyof typeof linkHours, (token: string) => string>> = {
  reset: (token) => `/dashboard/reset#token=${token}`,
  sign_in: (token) => `/dashboard/link#token=${token}`,
  invitation: (token) => `/dashboard/sign-up#invitation=${token}`,
};

/** Terms of an invitation: sign-up for one address or any, with or without credit from the operator. */
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

/** Makes a link that sets a new password once (`reset`), or that signs in once (`sign_in`). */
export const makeLink = (sql: Sql, purpose: 'reset' | 'sign_in', accountId: string): Promise<MadeLink> =>
  insertLink(sql, purpose, { accountId });

/** Makes a link with which one account may be made. */
export const makeInvitation = (sql: Sql, invitation: Invitation): Promise<MadeLink> =>
  insertLink(sql, 'invitation', invitation);

/** Consumes a link; returns its account, or null if the link was used, has expired, or is unknown. */
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

/** Consumes an invitation if it is for this address or for any; else null. */
export async function takeInvitation(sql: Sql, token: string, email: string): Promise<Invitation | null> {
  const { rows } = await sql.query<Invitation>(
    `DELETE FROM account_links WHERE token_hash = $1 AND purpose = 'invitation' AND expires_at > clock_timestamp()
       AND (email IS NULL OR lower(email) = lower($2))
     RETURNING email, micro_usd AS "microUsd"`,
    [hashToken(token), email],
  );
  return rows[0] ?? null;
}

/** Invalidates the unused links of an account. */
export async function endLinks(sql: Sql, accountId: string): Promise<void> {
  await sql.query('DELETE FROM account_links WHERE account_id = $1', [accountId]);
}
