import type { KeyMode } from '../../contract/task-model.ts';
import { terms } from '../../contract/terms.ts';
import { sqlState } from '../../drivers/postgres/index.ts';
import type { Sql } from '../../drivers/postgres/index.ts';
import { findAccount } from './accounts.ts';
import { AccountError } from './errors.ts';
import { generateKey } from './key-format.ts';
import { scopes } from './scopes.ts';
import { lastAcceptance } from './terms.ts';

export interface NewKey {
  readonly accountId: string;
  readonly mode: KeyMode;
  /** Default: all. */
  readonly scopes?: readonly string[];
  /** Addresses or CIDR ranges, IPv4 or IPv6; empty: any address. */
  readonly allowIps?: readonly string[];
  readonly expiresAt?: Date | null;
  readonly name?: string | null;
  readonly at: Date;
}

/** Makes a key. The full key is returned here and nowhere else: only its hash is stored. */
export async function createKey(sql: Sql, o: NewKey): Promise<{ key: string; keyId: string }> {
  const account = await findAccount(sql, { id: o.accountId });
  if (!account) throw new AccountError(`There is no account ${o.accountId}.`);
  if ((await lastAcceptance(sql, account.id))?.version !== terms.version)
    throw new AccountError(
      `The terms of service of ${terms.version} have not been accepted for this account; keys can be made after that.`,
    );
  const wanted = o.scopes ?? scopes;
  const unknown = wanted.filter((scope) => !(scopes as readonly string[]).includes(scope));
  if (unknown.length > 0 || wanted.length === 0)
    throw new AccountError(`Scopes are ${scopes.join(', ')}; not "${unknown.join(', ')}".`);
  if (o.expiresAt && o.expiresAt <= o.at)
    throw new AccountError(`The key would have expired before it is made: ${o.expiresAt.toISOString()} has passed.`);
  const { key, keyId, hash } = generateKey(o.mode);
  await sql
    .query(
      `INSERT INTO api_keys (key_id, account_id, mode, secret_hash, scopes, allow_ips, name, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6::text[]::cidr[], $7, $8, $9)`,
      [keyId, o.accountId, o.mode, hash, wanted, o.allowIps ?? [], o.name ?? null, o.at, o.expiresAt ?? null],
    )
    .catch((cause: unknown) => {
      if (sqlState(cause) !== '22P02') throw cause;
      throw new AccountError(
        `"${o.allowIps?.join(', ')}" is not a list of addresses or CIDR ranges such as 192.0.2.0/24 or 2001:db8::/32.`,
        { cause },
      );
    });
  return { key, keyId };
}

/** Revokes a key; it fails from the next request on. Revoking again changes nothing. */
export async function revokeKey(sql: Sql, keyId: string, at: Date): Promise<void> {
  const { rowCount } = await sql.query('UPDATE api_keys SET revoked_at = coalesce(revoked_at, $2) WHERE key_id = $1', [
    keyId,
    at,
  ]);
  if (rowCount === 0) throw new AccountError(`There is no key ${keyId}.`);
}
