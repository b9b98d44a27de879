import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { terms } from '../../infra/contract/terms.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { createAccount, setLimits, suspend } from '../../infra/records/accounts/accounts.ts';
import { setServing } from '../../infra/records/admission/serving.ts';
import { usageReport } from '../../infra/records/admission/usage-report.ts';
import { newKey, send, startTestApi, type Reply, type TestApi } from '../support/api.ts';
import { createBrowser, origin, type Browser } from '../support/browser.ts';
import { outdatedHash, passwordHash } from '../support/password-hash.ts';
import { base64, createBody, nested } from '../support/requests.ts';

const password = 'long enough';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({}, { inProcess: true });
});
afterAll(() => api.close());

async function signedIn(acceptTerms = true, hash?: string): Promise<{ browser: Browser; id: string; email: string }> {
  const email = `${randomBytes(6).toString('hex')}@example.org`;
  const made = hash ?? (await passwordHash());
  const { id } = await transaction(api.database.pool, (sql) =>
    createAccount(sql, { email, passwordHash: made, acceptTerms, at: new Date() }),
  );
  await setLimits(api.database.pool, id, { rps: 1_000, burst: 10_000, concurrency: 100 });
  const browser = createBrowser(api.app);
  expect((await browser.post('/sign-in', { email, password })).status).toBe(200);
  return { browser, id, email };
}

const path = '/v1/task-models';
const small = createBody({ x: base64(nested()), shape: [12, 3, 80] });
const codes = ({ status, body }: Reply): unknown[] => [status, body.code];
const failing = ({ status, body }: Reply): unknown[] => [
  status,
  body.details.errors.map((each: { field: string }) => each.field),
];

describe('the public interface for a signed-in browser', () => {
  it('creates once under an Idempotency-Key, says where, and a key of the account sees the same', async () => {
    const { browser, id } = await signedIn();
    const sent = { 'idempotency-key': 'once' };
    const made = await browser.post(path, small, sent);
    expect([made.status, made.headers.location]).toEqual([201, `/dashboard/api${path}/${made.body.id}`]);
    expect(made.headers['x-ratelimit-limit-requests']).toBe('10000');
    const again = await browser.post(path, small, sent);
    expect([again.headers['idempotent-replayed'], again.text, again.headers.location]).toEqual([
      'true',
      made.text,
      made.headers.location,
    ]);
    const { key } = await newKey(api.database, id);
    expect((await send(api.app, key, 'POST', path, small, sent)).text).toBe(made.text);
    expect((await send(api.app, key, 'GET', path)).body.data[0].id).toBe(made.body.id);
    expect((await browser.get(`${path}/${made.body.id}`)).body).toMatchObject({ status: 'active' });
    expect((await browser.send('PATCH', `${path}/${made.body.id}`, { name: 'mine' })).body.name).toBe('mine');
    expect((await browser.send('DELETE', `${path}/${made.body.id}`)).body.status).toBe('deleted');
    expect((await browser.get('/me')).body.balance_usd).toBe('3.00');
  });

  it('is counted in usage as the dashboard, in the mode that the pages ask for', async () => {
    const { browser, id } = await signedIn();
    await browser.get(path);
    await browser.get(path, { 'x-key-mode': 'test' });
    expect(failing(await browser.get(path, { 'x-key-mode': 'both' }))).toEqual([422, ['x-key-mode']]);
    const { rows } = await api.database.pool.query(
      'SELECT key_id, mode, requests::integer FROM usage_days WHERE account_id = $1 ORDER BY mode',
      [id],
    );
    expect(rows).toEqual([
      { key_id: 'dashboard', mode: 'live', requests: 1 },
      { key_id: 'dashboard', mode: 'test', requests: 1 },
    ]);
  });

  it('shares the limits of the account with its keys', async () => {
    const { browser, id } = await signedIn();
    const { key } = await newKey(api.database, id);
    await setLimits(api.database.pool, id, { rps: 1 });
    for (let i = 0; i < 5; i += 1) await send(api.app, key, 'GET', path);
    for (let i = 0; i < 5; i += 1) await browser.get(path);
    expect([codes(await browser.get(path)), codes(await send(api.app, key, 'GET', path))]).toEqual([
      [429, 'RATE_LIMITED'],
      [429, 'RATE_LIMITED'],
    ]);
  });

  it('is closed without sign-in, to other sites, to paused accounts, and before the terms are accepted', async () => {
    const { browser, id } = await signedIn();
    expect(codes(await createBrowser(api.app).get(path))).toEqual([401, 'UNAUTHENTICATED']);
    const { key } = await newKey(api.database, id);
    const bearer = { authorization: `Bearer ${key}` };
    expect(codes(await createBrowser(api.app).get(path, bearer))).toEqual([401, 'UNAUTHENTICATED']);
    expect(codes(await send(api.app, null, 'GET', path, undefined, { cookie: browser.cookie }))).toEqual([
      401,
      'UNAUTHENTICATED',
    ]);
    const { browser: other } = await signedIn();
    const foreign: Record<string, string>[] = [
      { 'x-csrf-token': '' },
      { 'x-csrf-token': other.csrf },
      { origin: 'http://a' },
    ];
    for (const headers of foreign)
      expect(codes(await browser.post(path, small, headers))).toEqual([403, 'SCOPE_MISSING']);
    await setServing(api.database.pool, { serving: false });
    expect(codes(await browser.get(path))).toEqual([503, 'SERVING_DISABLED']);
    await setServing(api.database.pool, { serving: true });
    await suspend(api.database.pool, id, new Date());
    expect(codes(await browser.get(path))).toEqual([403, 'TENANT_SUSPENDED']);
    const gone = `clf_${'0'.repeat(32)}`;
    expect(codes(await browser.send('DELETE', `${path}/${gone}`))).toEqual([404, 'CLASSIFIER_NOT_FOUND']);
    const {
      counts: { today },
    } = await usageReport(api.database.pool, { accountId: id, mode: 'live', at: new Date() });
    expect(today!.refusedByCode).toMatchObject({ SERVING_DISABLED: '1', TENANT_SUSPENDED: '1' });
  });
});

describe('the terms of service', () => {
  it('are accepted in their current version, which is kept with its time', async () => {
    const { browser, id } = await signedIn(false);
    expect((await browser.get('/me')).body.terms).toEqual({
      current: terms.version,
      accepted: null,
      accepted_at: null,
    });
    const closed = await browser.get(path);
    expect([codes(closed), closed.body.message]).toEqual([
      [403, 'SCOPE_MISSING'],
      expect.stringMatching(/terms of serv/),
    ]);
    const early = await browser.post('/terms', { version: '2020-01-01' });
    expect([failing(early), early.body.alternatives]).toEqual([[422, ['version']], [{ version: terms.version }]]);
    const { body } = await browser.post('/terms', { version: terms.version });
    expect(body.terms).toMatchObject({ accepted: terms.version, accepted_at: expect.stringMatching(/^\d{4}-/) });
    expect((await browser.post('/terms', { version: terms.version })).body.terms).toEqual(body.terms);
    expect((await browser.get(path)).status).toBe(200);
    await newKey(api.database, id);
  });

  it('of an older version let existing keys work; new keys need the current version', async () => {
    const { browser, id } = await signedIn();
    const { key } = await newKey(api.database, id);
    await api.database.admin.query(`UPDATE terms_acceptances SET version = '2020-01-01' WHERE account_id = $1`, [id]);
    expect((await browser.get('/me')).body.terms.accepted).toBe('2020-01-01');
    expect((await send(api.app, key, 'GET', path)).status).toBe(200);
    await expect(newKey(api.database, id)).rejects.toThrow(/terms of service/);
    expect((await browser.get(path)).status).toBe(200);
    const refused = await browser.post(path, small);
    expect([codes(refused), refused.body.message]).toEqual([
      [403, 'SCOPE_MISSING'],
      expect.stringContaining('/dashboard/terms'),
    ]);
    expect((await browser.send('DELETE', `${path}/clf_${'0'.repeat(32)}`)).status).toBe(404);
  });
});

describe('a password', () => {
  it('is changed by a user who knows it, and every other session ends', async () => {
    const { browser, email } = await signedIn();
    const other = createBrowser(api.app);
    await other.post('/sign-in', { email, password });
    const { cookie } = browser;
    const wanted = (current: string, next: string) => browser.post('/password', { current, password: next });
    expect(failing(await wanted('not this one', 'another long one'))).toEqual([422, ['current']]);
    expect(failing(await wanted(password, email.toUpperCase()))).toEqual([422, ['password']]);
    expect(failing(await wanted(password, 'ﬁ234567'.slice(0, 6)))).toEqual([422, ['password']]);
    expect((await wanted(password, 'another long one')).body.email).toBe(email);
    expect(browser.cookie).not.toBe(cookie);
    expect([(await browser.get('/me')).status, (await other.get('/me')).status]).toEqual([200, 401]);
    expect((await createBrowser(api.app).get('/me', { cookie })).status).toBe(401);
    expect((await browser.post('/sign-out', {}, { origin })).status).toBe(200);
  });

  it('that was hashed at a lower cost still signs in, and is hashed at the present cost from then on', async () => {
    const { id } = await signedIn(true, outdatedHash(password));
    const { rows } = await api.database.admin.query('SELECT password_hash FROM accounts WHERE id = $1', [id]);
    expect(rows[0].password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  });

  it('of an early account that is now too short still signs in, and stays as it is', async () => {
    const short = '1234567';
    const { id, email } = await signedIn();
    const hash = outdatedHash(short);
    await api.database.admin.query('UPDATE accounts SET password_hash = $2 WHERE id = $1', [id, hash]);
    expect((await createBrowser(api.app).post('/sign-in', { email, password: short })).status).toBe(200);
    const { rows } = await api.database.admin.query('SELECT password_hash FROM accounts WHERE id = $1', [id]);
    expect(rows[0].password_hash).toBe(hash);
  });
});
