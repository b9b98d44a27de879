import { ApiError } from '../../../infra/contract/errors.ts';
import { transaction, type Sql } from '../../../infra/drivers/postgres/transaction.ts';
import {
  createKey,
  findKey,
  listKeys,
  revokeKey,
  rotateKey,
  type StoredKey,
} from '../../../infra/records/accounts/keys.ts';
import { keyPrefix } from '../../../infra/records/accounts/key-format.ts';
import type { Key, NewKeyAnswer, RotatedKey } from '../contract/responses.ts';
import { createKey as createKeyBody } from '../contract/requests.ts';
import { requireAttempt } from '../http/limited.ts';
import { accountRoute, type Session, type RouteInput } from '../route.ts';

/** The visible fields of a key, in the list and in the export. */
export const shownKey = (key: StoredKey): Key => ({
  key_id: key.keyId,
  prefix: keyPrefix(key.mode, key.keyId),
  name: key.name,
  mode: key.mode,
  scopes: [...key.scopes] as Key['scopes'],
  allow_ips: [...key.allowIps],
  created: key.createdAt.toISOString(),
  expires_at: key.expiresAt?.toISOString() ?? null,
  revoked_at: key.revokedAt?.toISOString() ?? null,
  last_used_at: key.lastUsedAt?.toISOString() ?? null,
});

/** The key of the path. NOT_FOUND is the same for a key that does not exist and for a key of a different account. */
async function requireKey(sql: Sql, { accountId }: Session, { params }: RouteInput<unknown>): Promise<StoredKey> {
  const key = await findKey(sql, accountId, params['key_id']!);
  if (!key) throw new ApiError('NOT_FOUND', 'The account has no key of this id.', { field: 'key_id' });
  return key;
}

/** The answer for a new key. It is the only one that contains the whole key. */
async function made(
  sql: Sql,
  accountId: string,
  { key, keyId }: { key: string; keyId: string },
): Promise<NewKeyAnswer> {
  return { ...shownKey((await findKey(sql, accountId, keyId))!), key };
}

/** Keys are never deleted from the database, so their number per day is limited. */
const takeKey = (sql: Sql, { accountId }: Session): Promise<void> =>
  requireAttempt(sql, { kind: 'key-account', subject: accountId }, 'new keys', 'Use a key that was made already.');

export const keyRoutes = [
  accountRoute({
    signedIn: true,
    method: 'get',
    path: '/keys',
    handle: async ({ pool }, { accountId, at }) => ({ data: (await listKeys(pool, accountId, at)).map(shownKey) }),
  }),
  accountRoute({
    signedIn: true,
    method: 'post',
    path: '/keys',
    status: 201,
    body: createKeyBody,
    handle: ({ pool }, session, { body }) =>
      transaction(pool, async (sql) => {
        const { accountId, at } = session;
        await takeKey(sql, session);
        const { name, mode, scopes, allow_ips: allowIps, expires_at: expires } = body;
        const expiresAt = expires === null ? null : new Date(expires);
        return await made(
          sql,
          accountId,
          await createKey(sql, { accountId, name, mode, scopes, allowIps, expiresAt, at }),
        );
      }),
  }),
  accountRoute({
    signedIn: true,
    method: 'post',
    path: '/keys/:key_id/revoke',
    handle: ({ pool }, session, input) =>
      transaction(pool, async (sql) => {
        const { keyId } = await requireKey(sql, session, input);
        await revokeKey(sql, keyId, session.at);
        return shownKey(await requireKey(sql, session, input));
      }),
  }),
  accountRoute({
    signedIn: true,
    method: 'post',
    path: '/keys/:key_id/rotate',
    status: 201,
    handle: ({ pool }, session, input) =>
      transaction(pool, async (sql): Promise<RotatedKey> => {
        const { accountId, at } = session;
        const old = await requireKey(sql, session, input);
        await takeKey(sql, session);
        const key = await made(sql, accountId, await rotateKey(sql, { accountId, old, at }));
        const replaces = { key_id: old.keyId, works_until: 'it is revoked' } as const;
        return { ...key, replaces };
      }),
  }),
];
