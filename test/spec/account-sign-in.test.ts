import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { createAccount, setPasswordHash, suspend } from '../../infra/records/accounts/accounts.ts';
import { makeLink } from '../../infra/records/accounts/links.ts';
import { setSignUpPolicy } from '../../infra/records/accounts/sign-up.ts';
import { startSession } from '../../infra/records/accounts/sessions.ts';
import { startTestApi, type Reply, type TestApi } from '../support/api.ts';
import { createBrowser, type Browser } from '../support/browser.ts';
import { passwordHash } from '../support/password-hash.ts';

const password = 'long enough';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ trustedProxies: ['127.0.0.1'] }, { inProcess: true });
  await setSignUpPolicy(api.database.pool, { mode: 'open' });
});
afterAll(() => api.close());

let hosts = 0;
/** A browser of its own network address, so that the attempts of one test are not those of another. */
const browse = (address = `192.0.2.${(hosts += 1)}`): Browser => createBrowser(api.app, { 'x-forwarded-for': address });

const newEmail = (): string => `${randomBytes(6).toString('hex')}@example.org`;

async function newAccount(hash?: string | null): Promise<{ id: string; email: string }> {
  const email = newEmail();
  const made = hash ?? (await passwordHash());
  const { id } = await transaction(api.database.pool, (sql) =>
    createAccount(sql, { email, passwordHash: made, acceptTerms: true, at: new Date() }),
  );
  if (hash === null) await api.database.admin.query('UPDATE accounts SET password_hash = NULL WHERE id = $1', [id]);
  return { id, email };
}

async function signedIn(): Promise<{ browser: Browser; id: string; email: string }> {
  const account = await newAccount();
  const browser = browse();
  expect((await browser.post('/sign-in', { email: account.email, password })).status).toBe(200);
  return { browser, ...account };
}

const codes = ({ status, body }: Reply): unknown[] => [status, body.code];
const wrong = [401, 'UNAUTHENTICATED'];
const foreign = [403, 'SCOPE_MISSING'];

describe('a session', () => {
  it('begins with the right password, and names the signed-in account', async () => {
    const { email } = await newAccount();
    const browser = browse();
    const reply = await browser.post('/sign-in', { email: ` ${email.toUpperCase()} `, password });
    expect([reply.status, reply.body.email, reply.body.balance_usd]).toEqual([200, email, '5.00']);
    expect(reply.headers['set-cookie']).toMatch(
      /^eeg_session=[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    expect(reply.headers['cache-control']).toBe('no-store');
    expect((await browser.get('/me')).body).toEqual(reply.body);
  });

  it('has a cookie that is sent over HTTPS only, if the service is reached over HTTPS', async () => {
    const { email } = await newAccount();
    const browser = createBrowser(api.app, { 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.250' });
    const reply = await browser.post('/sign-in', { email, password }, { origin: 'https://localhost:80' });
    expect(reply.headers['set-cookie']).toMatch(
      /^__Host-eeg_session=[\w-]{43}; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    expect((await browser.get('/me')).status).toBe(200);
    expect(codes(await createBrowser(api.app).get('/me', { cookie: browser.cookie }))).toEqual(wrong);
  });

  it('is stored as a hash only', async () => {
    const { browser, id } = await signedIn();
    const token = browser.cookie.split('=')[1]!;
    const { rows } = await api.database.admin.query('SELECT * FROM sessions WHERE account_id = $1', [id]);
    expect(rows).toHaveLength(1);
    expect(rows[0].token_hash).toEqual(createHash('sha256').update(token).digest());
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it('cannot be fixed by an attacker: the browser always gets a new token, and the old session ends', async () => {
    const { email } = await newAccount();
    const planted = browse();
    planted.cookie = `eeg_session=${'a'.repeat(43)}`;
    await planted.post('/sign-in', { email, password });
    expect(planted.cookie).not.toContain('aaaa');
    const { browser: attacker } = await signedIn();
    const victim = browse();
    victim.cookie = attacker.cookie;
    await victim.post('/sign-in', { email, password });
    expect(victim.cookie).not.toBe(attacker.cookie);
    expect([(await victim.get('/me')).body.email, (await attacker.get('/me')).status]).toEqual([email, 401]);
  });

  it('ends by signing out, here or everywhere', async () => {
    const { browser, email } = await signedIn();
    const [here, there] = [browse(), browse()];
    for (const each of [here, there]) await each.post('/sign-in', { email, password });
    const { cookie } = here;
    expect((await here.post('/sign-out')).headers['set-cookie']).toContain('Max-Age=0');
    expect(codes(await browse().get('/me', { cookie }))).toEqual(wrong);
    expect((await there.get('/me')).status).toBe(200);
    expect((await browser.post('/sign-out-everywhere')).body).toEqual({ signed_out: 2 });
    expect(codes(await there.get('/me'))).toEqual(wrong);
  });

  it('ends after 14 days without a request, and after 90 days in any case', async () => {
    for (const change of [`last_seen_at = now() - interval '14 days'`, 'expires_at = now()']) {
      const { browser, id } = await signedIn();
      await api.database.admin.query(
        `UPDATE sessions SET last_seen_at = now() - interval '13 days' WHERE account_id = $1`,
        [id],
      );
      expect((await browser.get('/me')).status).toBe(200);
      await api.database.admin.query(`UPDATE sessions SET ${change} WHERE account_id = $1`, [id]);
      expect(codes(await browser.get('/me'))).toEqual(wrong);
    }
  });

  it('continues while the account is suspended, and ends when it is closed', async () => {
    const { browser, id, email } = await signedIn();
    await suspend(api.database.pool, id, new Date());
    expect((await browser.get('/me')).body.suspended_since).toMatch(/^\d{4}-/);
    await api.database.pool.query('UPDATE accounts SET closed_at = now() WHERE id = $1', [id]);
    expect(codes(await browser.get('/me'))).toEqual(wrong);
    expect(codes(await browse().post('/sign-in', { email, password }))).toEqual(wrong);
  });
});

describe('a request that changes something', () => {
  it('needs the CSRF token of its own session', async () => {
    const { browser } = await signedIn();
    const { browser: other } = await signedIn();
    for (const csrf of ['', 'x'.repeat(43), other.csrf])
      expect(codes(await browser.post('/sign-out', {}, { 'x-csrf-token': csrf }))).toEqual(foreign);
    expect((await browser.get('/me')).status).toBe(200);
  });

  it('is refused from a page of another site, signing in too', async () => {
    const { browser, email } = await signedIn();
    const elsewhere: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://localhost:81' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ];
    for (const headers of elsewhere) {
      expect(codes(await browser.post('/sign-out', {}, headers))).toEqual(foreign);
      expect(codes(await browse().post('/sign-in', { email, password }, headers))).toEqual(foreign);
    }
    expect((await browser.get('/me')).status).toBe(200);
  });

  it('must be JSON of at most 64 KiB, and every failing field is named without its secret', async () => {
    const { browser } = await signedIn();
    const form = await browser.post('/sign-in', 'email=a', { 'content-type': 'application/x-www-form-urlencoded' });
    expect([codes(form), form.body.field]).toEqual([[422, 'INVALID_REQUEST'], 'Content-Type']);
    expect(codes(await browser.post('/sign-in', { email: 'x'.repeat(70_000) }))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(codes(await browser.post('/sign-in', '{"email":'))).toEqual([422, 'INVALID_REQUEST']);
    const broken = await browser.post('/sign-in', '{"password":"hunter2" x');
    expect(broken.body.message).toBe('The body is not JSON.');
    const bad = await browser.post('/sign-in', { email: 7, password: 123_456_789, more: 1 });
    expect(codes(bad)).toEqual([422, 'INVALID_REQUEST']);
    expect(bad.body.details.errors.map((each: { field: string }) => each.field).sort()).toEqual([
      'email',
      'more',
      'password',
    ]);
    expect(bad.text).not.toContain('123456789');
  });
});

const stranger = '198.51.100.7';
/** One failed sign-in of a network, and so many in all. */
async function fail(email: string, failures: number): Promise<void> {
  expect(codes(await browse(stranger).post('/sign-in', { email, password: 'wrong' }))).toEqual(wrong);
  await api.database.pool.query(
    `UPDATE account_attempts SET count = $1 WHERE kind = 'sign-in-account' AND subject = sha256(convert_to($2, 'UTF8'))`,
    [failures, `${stranger} ${email}`],
  );
}

describe('signing in', () => {
  it('answers alike for an unknown address, a wrong password and an account without one, after the same work', async () => {
    const { email } = await newAccount();
    const { email: without } = await newAccount(null);
    const replies = [];
    for (const each of [email, without, newEmail()]) {
      const { status, body } = await browse().post('/sign-in', { email: each, password: 'not the password' });
      replies.push({ status, ...body, details: {} });
    }
    expect(codes({ status: replies[0]!.status, body: replies[0] } as Reply)).toEqual(wrong);
    expect(replies[1]).toEqual(replies[0]);
    expect(replies[2]).toEqual(replies[0]);
  });

  it('is refused for a while after ten failures of one network with one account, even with the right password', async () => {
    const { email, id } = await newAccount();
    await fail(email, 9);
    expect(codes(await browse(stranger).post('/sign-in', { email, password: 'wrong' }))).toEqual(wrong);
    const refused = await browse(stranger).post('/sign-in', { email, password });
    expect(codes(refused)).toEqual([429, 'RATE_LIMITED']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(600);
    expect((await browse().post('/sign-in', { email, password })).status).toBe(200);
    const { token } = await makeLink(api.database.pool, 'sign_in', id);
    expect((await browse().post('/link', { token })).body.email).toBe(email);
    const other = await makeLink(api.database.pool, 'reset', id);
    expect((await browse(stranger).post('/reset', { token: other.token, password: 'another long one' })).status).toBe(
      200,
    );
    expect((await browse(stranger).post('/sign-in', { email, password: 'another long one' })).status).toBe(200);
  });

  it('counts addresses without an account in the same way', async () => {
    const email = newEmail();
    await fail(email, 10);
    expect(codes(await browse(stranger).post('/sign-in', { email, password }))).toEqual([429, 'RATE_LIMITED']);
  });

  it('is refused for a while after forty failures from one network (of IPv6 a /64), for any accounts', async () => {
    await api.database.pool.query('DELETE FROM account_attempts');
    const address = '2001:db8:1:2::1';
    await browse(address).post('/sign-in', { email: newEmail(), password });
    await api.database.pool.query(`UPDATE account_attempts SET count = 40 WHERE kind = 'sign-in-address'`);
    const { email } = await newAccount();
    expect(codes(await browse('2001:db8:1:2::ffff').post('/sign-in', { email, password }))).toEqual([
      429,
      'RATE_LIMITED',
    ]);
    expect((await browse('2001:db8:1:3::1').post('/sign-in', { email, password })).status).toBe(200);
    await api.database.pool.query(`UPDATE account_attempts SET count = 200 WHERE kind = 'sign-in-site'`);
    const site = await browse('2001:db8:1:4::1').post('/sign-in', { email, password });
    expect(codes(site)).toEqual([429, 'RATE_LIMITED']);
    expect((await browse('2001:db8:2::1').post('/sign-in', { email, password })).status).toBe(200);
  });

  it('is refused for a while after a hundred failures with one account, however its address is written', async () => {
    const { email } = await newAccount();
    for (const each of [email, email.toUpperCase()])
      expect(codes(await browse().post('/sign-in', { email: each, password: 'wrong' }))).toEqual(wrong);
    const dotted = `mİke${email}`;
    expect(codes(await browse().post('/sign-in', { email: dotted, password: 'wrong' }))).toEqual(wrong);
    const counted = (address: string) =>
      api.database.pool.query(
        `SELECT subject, count FROM account_attempts
         WHERE kind = 'sign-in-everywhere' AND subject = sha256(convert_to(lower($1), 'UTF8'))`,
        [address],
      );
    expect((await counted(dotted)).rows).toHaveLength(1);
    const { rows } = await counted(email);
    expect(rows[0].count).toBe(2);
    await api.database.pool.query(
      `UPDATE account_attempts SET count = 100 WHERE kind = 'sign-in-everywhere' AND subject = $1`,
      [rows[0].subject],
    );
    expect(codes(await browse().post('/sign-in', { email, password }))).toEqual([429, 'RATE_LIMITED']);
  });

  it('that succeeds is limited for each network, because it costs a hash', async () => {
    const { email } = await newAccount();
    const browser = browse();
    expect((await browser.post('/sign-in', { email, password })).status).toBe(200);
    await api.database.pool.query(`UPDATE account_attempts SET count = 60 WHERE kind = 'signed-in-address'`);
    expect(codes(await browser.post('/sign-in', { email, password }))).toEqual([429, 'RATE_LIMITED']);
    await api.database.pool.query(`DELETE FROM account_attempts WHERE kind = 'signed-in-address'`);
  });

  it('begins no session if the password was reset or the account closed during the check', async () => {
    const { pool } = api.database;
    const { id } = await newAccount();
    const verified = await passwordHash();
    expect(await startSession(pool, id, verified)).not.toBeNull();
    expect(await setPasswordHash(pool, id, 'another', verified)).toBe(true);
    expect(await setPasswordHash(pool, id, 'a third', verified)).toBe(false);
    expect(await startSession(pool, id, verified)).toBeNull();
    const closing = await pool.connect();
    await closing.query('BEGIN');
    await closing.query('UPDATE accounts SET closed_at = now() WHERE id = $1', [id]);
    const late = startSession(pool, id);
    await closing.query('COMMIT');
    closing.release();
    expect(await late).toBeNull();
    expect(await setPasswordHash(pool, id, 'a third')).toBe(false);
  });

  it('that succeeds uses no attempt, and simultaneous attempts all count', async () => {
    const { email } = await newAccount();
    const browser = browse();
    for (let i = 0; i < 12; i += 1) expect((await browser.post('/sign-in', { email, password })).status).toBe(200);
    const one = browse();
    const guesses = await Promise.all(
      Array.from({ length: 14 }, (_, i) => one.post('/sign-in', { email, password: `guess ${i}` })),
    );
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(4);
  });
});
