import { afterAll, beforeAll, expect, it } from 'vitest';
import { runAdmin } from '../../infra/main/admin/run-admin.ts';
import { createKey } from '../../infra/records/accounts/keys.ts';
import { send, startTestApi, type Reply, type TestApi } from '../support/api.ts';
import { newAccount } from '../support/money.ts';
import { openAdmin } from '../support/admin.ts';
import { signedInAccount, type SignedIn } from '../support/two-accounts.ts';

let api: TestApi;
let ann: SignedIn;
let bob: SignedIn;
beforeAll(async () => {
  api = await startTestApi({}, { inProcess: true });
  ann = await signedInAccount(api, 'ann');
  bob = await signedInAccount(api, 'bob');
});
afterAll(() => api.close());

const fault = ({ status, body }: Reply): unknown[] => [status, body.code, body.field];
const list = (key: string): Promise<Reply> => send(api.app, key, 'GET', '/v1/task-models');
const idsOf = async ({ browser }: SignedIn): Promise<string[]> =>
  (await browser.get('/keys')).body.data.map((key: { key_id: string }) => key.key_id);

it('a new key has its settings, is shown whole once, works, and records its last use', async () => {
  const made = await ann.browser.post('/keys', {
    name: 'EEG lab',
    mode: 'live',
    scopes: ['models:read'],
    allow_ips: ['127.0.0.0/8', '2001:db8::/32'],
    expires_at: '2100-01-01T00:00:00Z',
  });
  expect(made.status).toBe(201);
  const { key, ...shown } = made.body;
  expect(key).toMatch(new RegExp(`^${shown.prefix}_[0-9A-Za-z]{48}$`));
  expect(shown).toMatchObject({
    name: 'EEG lab',
    mode: 'live',
    scopes: ['models:read'],
    allow_ips: ['127.0.0.0/8', '2001:db8::/32'],
    expires_at: '2100-01-01T00:00:00.000Z',
    revoked_at: null,
    last_used_at: null,
  });
  expect((await list(key)).status).toBe(200);
  const after = await ann.browser.get('/keys');
  const row = after.body.data.find(({ key_id: id }: { key_id: string }) => id === shown.key_id);
  expect(row).toEqual({ ...shown, last_used_at: expect.any(String) });
  expect(after.text).not.toContain(key.slice(-48));
});

it('the last use of a key is written at most once a minute', async () => {
  const count = async (): Promise<unknown> =>
    (await api.database.admin.query('SELECT xmin::text, last_used_at FROM api_keys WHERE key_id = $1', [bob.keyId]))
      .rows;
  await list(bob.key);
  const first = await count();
  await list(bob.key);
  expect(await count()).toEqual(first);
  await api.database.admin.query(
    `UPDATE api_keys SET last_used_at = last_used_at - interval '2 minutes' WHERE key_id = $1`,
    [bob.keyId],
  );
  const old = await count();
  await list(bob.key);
  expect(await count()).not.toEqual(old);
});

it('a rotated key has the same settings and a number, and the old one works until it is revoked', async () => {
  const old = (await ann.browser.post('/keys', { name: 'rotated', mode: 'test', scopes: ['usage:read'] })).body;
  const next = await ann.browser.post(`/keys/${old.key_id}/rotate`);
  expect(next.status).toBe(201);
  const { mode, scopes, name, replaces, key } = next.body;
  expect({ mode, scopes, name, replaces }).toEqual({
    mode: 'test',
    scopes: ['usage:read'],
    name: 'rotated (2)',
    replaces: { key_id: old.key_id, works_until: 'it is revoked' },
  });
  expect((await ann.browser.post(`/keys/${next.body.key_id}/rotate`)).body.name).toBe('rotated (3)');
  const usage = (each: string): Promise<Reply> => send(api.app, each, 'GET', '/v1/usage');
  expect([(await usage(old.key)).status, (await usage(key)).status]).toEqual([200, 200]);
  const revoked = await ann.browser.post(`/keys/${old.key_id}/revoke`);
  expect(revoked.body.revoked_at).toEqual(expect.any(String));
  expect((await ann.browser.post(`/keys/${old.key_id}/revoke`)).body).toEqual(revoked.body);
  expect([(await usage(old.key)).body.code, (await usage(key)).status]).toEqual(['KEY_REVOKED', 200]);
  expect(fault(await ann.browser.post(`/keys/${old.key_id}/rotate`))).toEqual([422, 'INVALID_REQUEST', 'key_id']);
});

it.each([
  [{ name: '' }, 'name'],
  [{ name: 'a\u0000' }, 'name'],
  [{ allow_ips: ['\u0000'] }, 'allow_ips'],
  [{ mode: 'real' }, 'mode'],
  [{ scopes: ['everything'] }, 'scopes[0]'],
  [{ scopes: [] }, 'scopes'],
  [{ allow_ips: ['somewhere'] }, 'allow_ips'],
  [{ expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
  [{ expires_at: 'soon' }, 'expires_at'],
  [{ colour: 'red' }, 'colour'],
])('refuses %j and names the field', async (change, field) => {
  const reply = await ann.browser.post('/keys', { name: 'k', mode: 'live', ...change });
  expect(fault(reply)).toEqual([422, 'INVALID_REQUEST', field]);
});

it('keys of another account are not listed, and their ids are answered like unknown ones', async () => {
  expect(await idsOf(ann)).not.toContain(bob.keyId);
  expect(await idsOf(bob)).toEqual([bob.keyId]);
  for (const action of ['revoke', 'rotate']) {
    const foreign = await ann.browser.post(`/keys/${bob.keyId}/${action}`);
    const unknown = await ann.browser.post(`/keys/${'0'.repeat(16)}/${action}`);
    expect(fault(foreign)).toEqual([404, 'NOT_FOUND', 'key_id']);
    expect((await ann.browser.post(`/keys/%00/${action}`)).status).toBe(404);
    const { details: _one, ...first } = foreign.body;
    const { details: _two, ...second } = unknown.body;
    expect(first).toEqual(second);
  }
  expect((await list(bob.key)).status).toBe(200);
});

it('keys end with their account, whatever their own row says, and no more can be made', async () => {
  const { pool } = api.database;
  const gone = await newAccount(pool, new Date());
  const { key, keyId } = await createKey(pool, { accountId: gone, mode: 'live', at: new Date() });
  expect((await list(key)).status).toBe(200);
  await pool.query('UPDATE accounts SET closed_at = now() WHERE id = $1', [gone]);
  await api.database.admin.query('UPDATE api_keys SET revoked_at = NULL WHERE key_id = $1', [keyId]);
  expect((await list(key)).body.code).toBe('KEY_REVOKED');
  await expect(createKey(pool, { accountId: gone, mode: 'live', at: new Date() })).rejects.toThrow(/no account/);
});

it('an account makes at most 200 keys a day', async () => {
  const { pool } = api.database;
  await pool.query(`UPDATE account_attempts SET count = 200 WHERE kind = 'key-account'`);
  const reply = await ann.browser.post('/keys', { name: 'one more', mode: 'live' });
  expect([reply.status, reply.body.code]).toEqual([429, 'RATE_LIMITED']);
  await pool.query(`DELETE FROM account_attempts WHERE kind = 'key-account'`);
});

it('an account has at most 100 keys that work', async () => {
  await api.database.admin.query(
    `INSERT INTO api_keys (key_id, account_id, mode, secret_hash, scopes, expires_at, revoked_at)
     SELECT left(md5('limit ' || n), 16), $1, 'live', '', '{predictions}', CASE WHEN n > 110 THEN now() END,
            CASE WHEN n > 105 AND n <= 110 THEN now() END FROM generate_series(1, 115) AS n WHERE n <= 99 OR n > 105`,
    [bob.accountId],
  );
  const reply = await bob.browser.post('/keys', { name: 'one more', mode: 'live' });
  expect([reply.status, reply.body.message]).toEqual([422, expect.stringContaining('100 keys')]);
  expect((await bob.browser.post(`/keys/${bob.keyId}/rotate`)).status).toBe(422);
  await bob.browser.post(`/keys/${bob.keyId}/revoke`);
  const some = await Promise.all([1, 2, 3].map((n) => bob.browser.post('/keys', { name: `k${n}`, mode: 'live' })));
  expect(some.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 422, 422]);
});

it('the operator lists the keys of an account, and no secret', async () => {
  const { out, exitCode } = await runAdmin(['key', 'list', '--account', ann.accountId], openAdmin(api.database.pool));
  const { keys } = JSON.parse(out!);
  expect([exitCode, keys.map(({ key_id: id }: { key_id: string }) => id).sort()]).toEqual([
    0,
    (await idsOf(ann)).sort(),
  ]);
  expect(out).not.toContain('hash');
});
