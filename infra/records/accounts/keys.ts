import { limits } from '../../contract/limits.ts';
import type { KeyMode } from '../../contract/task-model.ts';
import { terms } from '../../contract/terms.ts';
import { sqlState } from '../../drivers/postgres/errors.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';
import { findAccount } from './accounts.ts';
import { AccountError } from './account-error.ts';
import { generateKey } from './key-format.ts';
import { scopes } from '../../contract/scopes.ts';
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

/** Valid keys: neither revoked nor expired at `$2`; the table's alias is `k`. */
const living = '(k.revoked_at IS NULL OR k.revoked_at > $2) AND (k.expires_at IS NULL OR k.expires_at > $2)';

/** Locks the account, in a transaction, so that concurrent requests cannot exceed the limit of keys. */
async function requireRoom(sql: Sql, accountId: string, at: Date): Promise<void> {
  const { rowCount } = await sql.query('SELECT FROM accounts WHERE id = $1 AND closed_at IS NULL FOR NO KEY UPDATE', [
    accountId,
  ]);
  if (rowCount === 0) throw new AccountError(`There is no account ${accountId}.`);
  const { rows } = await sql.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM api_keys k WHERE k.account_id = $1 AND ${living}`,
    [accountId, at],
  );
  if (rows[0]!.n >= limits.livingKeys)
    throw new AccountError(
      `The account has ${rows[0]!.n} keys that work, and at most ${limits.livingKeys} may; revoke one that is no ` +
        'longer used.',
    );
}

const badRanges = (ranges: readonly string[], cause?: unknown): AccountError =>
  new AccountError(
    `"${ranges.join(', ')}" is not a list of addresses or CIDR ranges such as 192.0.2.0/24 or 2001:db8::/32.`,
    { cause, field: 'allow_ips' },
  );

/**
 * Makes a key. The full key is only returned here, and only its hash is stored. AccountError, with the invalid field,
 * if the request is refused.
 */
export async function createKey(sql: Sql, o: NewKey): Promise<{ key: string; keyId: string }> {
  const account = await findAccount(sql, { id: o.accountId });
  if (!account || account.closedAt) throw new AccountError(`There is no account ${o.accountId}.`);
  if ((await lastAcceptance(sql, account.id))?.version !== terms.version)
    throw new AccountError(
      `The terms of service of ${terms.version} have not been accepted for this account; keys can be made after that.`,
    );
  const wanted = o.scopes ?? scopes;
  const unknown = wanted.filter((scope) => !(scopes as readonly string[]).includes(scope));
  if (unknown.length > 0 || wanted.length === 0)
    throw new AccountError(`Scopes are ${scopes.join(', ')}; not "${unknown.join(', ')}".`, { field: 'scopes' });
  if (o.expiresAt && o.expiresAt <= o.at)
    throw new AccountError(`The key would have expired before it is made: ${o.expiresAt.toISOString()} has passed.`, {
      field: 'expires_at',
    });
  await requireRoom(sql, o.accountId, o.at);
  const ranges = o.allowIps ?? [];
  if (!ranges.every((range) => /^[0-9a-fA-F.:/]+$/.test(range))) throw badRanges(ranges);
  const { key, keyId, hash } = generateKey(o.mode);
  await sql
    .query(
      `INSERT INTO api_keys (key_id, account_id, mode, secret_hash, scopes, allow_ips, name, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6::text[]::cidr[], $7, $8, $9)`,
      [keyId, o.accountId, o.mode, hash, wanted, ranges, o.name ?? null, o.at, o.expiresAt ?? null],
    )
    .catch((cause: unknown) => {
      if (sqlState(cause) !== '22P02') throw cause;
      throw badRanges(ranges, cause);
    });
  return { key, keyId };
}

/** Properties of a key that may be shown after it was made. */
export interface StoredKey {
  readonly keyId: string;
  readonly name: string | null;
  readonly mode: KeyMode;
  readonly scopes: readonly string[];
  readonly allowIps: readonly string[];
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  /** To the minute. */
  readonly lastUsedAt: Date | null;
}

const columns = `k.key_id AS "keyId", k.name, k.mode, k.scopes, k.allow_ips::text[] AS "allowIps",
  k.created_at AS "createdAt", k.expires_at AS "expiresAt", k.revoked_at AS "revokedAt",
  k.last_used_at AS "lastUsedAt"`;

/** Most keys in a list: the valid ones, and the latest of the others. */
const listed = 1_000;

/** The keys of an account, newest first; revoked and expired ones after those that are valid at `at`. */
export async function listKeys(sql: Sql, accountId: string, at: Date): Promise<StoredKey[]> {
  const { rows } = await sql.query<StoredKey>(
    `SELECT ${columns} FROM api_keys k WHERE k.account_id = $1
     ORDER BY (${living}) DESC, k.created_at DESC, k.key_id LIMIT ${listed}`,
    [accountId, at],
  );
  return rows;
}

/** A key of an account; null for an invalid id, an unknown key, or another account's key. */
export async function findKey(sql: Sql, accountId: string, keyId: string): Promise<StoredKey | null> {
  if (!/^[0-9A-Za-z]{16}$/.test(keyId)) return null;
  const { rows } = await sql.query<StoredKey>(
    `SELECT ${columns} FROM api_keys k WHERE k.account_id = $1 AND k.key_id = $2`,
    [accountId, keyId],
  );
  return rows[0] ?? null;
}

/**
 * Makes a key with the settings of another valid one, which stays valid until it is revoked; call it inside a
 * transaction. The name is the same with a number.
 */
export async function rotateKey(
  sql: Sql,
  { accountId, old, at }: { accountId: string; old: StoredKey; at: Date },
): Promise<{ key: string; keyId: string }> {
  if (old.revokedAt)
    throw new AccountError(`The key ${old.keyId} was revoked ${old.revokedAt.toISOString()}; create a new key.`, {
      field: 'key_id',
    });
  const { mode, scopes, allowIps, expiresAt } = old;
  const name = old.name === null ? null : await nextName(sql, accountId, old.name);
  return await createKey(sql, { accountId, mode, scopes, allowIps, expiresAt, name, at });
}

/** The number at the end of a name, here and in the database. */
const numbered = ' \\((\\d{1,6})\\)$';

/** `name (2)`, or the next number that is free in the account. */
async function nextName(sql: Sql, accountId: string, name: string): Promise<string> {
  const stem = name.replace(new RegExp(numbered), '');
  const { rows } = await sql.query<{ last: number }>(
    `SELECT coalesce(max(coalesce(substring(name FROM $3)::int, 1)), 1) AS last FROM api_keys
     WHERE account_id = $1 AND (name = $2 OR regexp_replace(name, $3, '') = $2)`,
    [accountId, stem, numbered],
  );
  return `${stem} (${rows[0]!.last + 1})`;
}

/** Revokes a key; it fails from the next request on. Revoking again changes nothing. */
export async function revokeKey(sql: Sql, keyId: string, at: Date): Promise<void> {
  const { rowCount } = await sql.query('UPDATE api_keys SET revoked_at = coalesce(revoked_at, $2) WHERE key_id = $1', [
    keyId,
    at,
  ]);
  if (rowCount === 0) throw new AccountError(`There is no key ${keyId}.`);
}
