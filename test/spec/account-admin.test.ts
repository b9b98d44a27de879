import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runAdmin } from '../../infra/main/admin/run-admin.ts';
import { reapAccounts } from '../../infra/records/accounts/reap-accounts.ts';
import { checkLedger } from '../../infra/records/ledger/check.ts';
import { openAdmin } from '../support/admin.ts';
import { startTestApi, type Reply, type TestApi } from '../support/api.ts';
import { createBrowser, type Browser } from '../support/browser.ts';

const password = 'long enough';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ trustedProxies: ['127.0.0.1'] }, { inProcess: true });
});
afterAll(() => api.close());

let hosts = 0;
const browse = (): Browser => createBrowser(api.app, { 'x-forwarded-for': `192.0.2.${(hosts += 1)}` });
const newEmail = (): string => `${randomBytes(6).toString('hex')}@example.org`;

async function admin(...argv: string[]): Promise<any> {
  const { out, errors, exitCode } = await runAdmin(argv, openAdmin(api.database.pool));
  expect({ errors, exitCode }).toEqual({ errors: [], exitCode: 0 });
  return JSON.parse(out!);
}
async function refused(...argv: string[]): Promise<string> {
  const { out, errors, exitCode } = await runAdmin(argv, openAdmin(api.database.pool));
  expect([out, exitCode]).toEqual([null, 1]);
  return errors.join('\n');
}

const tokenOf = ({ path }: { path: string }): string => path.split('=')[1]!;
const failing = ({ status, body }: Reply): unknown[] => [
  status,
  body.details.errors?.map((each: { field: string }) => each.field),
];
const signUp = (body: object, browser = browse()): Promise<Reply> =>
  browser.post('/sign-up', { email: newEmail(), password, ...body });

it('sign-up needs an invitation until the operator changes that, and the sign-in page says so', async () => {
  expect(await admin('sign-up', 'show')).toEqual({ mode: 'invitation', free_credit: 'at-once' });
  expect((await browse().get('/door')).body).toMatchObject({ sign_up: 'invitation', serving: true });
  expect(failing(await signUp({}))).toEqual([422, ['invitation']]);
  expect(await admin('sign-up', 'set', '--mode', 'closed')).toEqual({ mode: 'closed', free_credit: 'at-once' });
  expect((await signUp({})).body).toMatchObject({ code: 'SCOPE_MISSING' });
  const { path } = await admin('account', 'invite');
  expect((await signUp({ invitation: tokenOf({ path }) })).status).toBe(403);
  await admin('sign-up', 'set', '--mode', 'open');
  expect((await signUp({})).status).toBe(200);
  expect(await refused('sign-up', 'set', '--mode', 'perhaps')).toMatch(/open, invitation, closed/);
  expect(await refused('sign-up', 'set')).toMatch(/missing/);
});

it('the commands of docs/deploy.md make the first account', async () => {
  const page = await readFile(new URL('../../docs/deploy.md', import.meta.url), 'utf8');
  const commands = [...page.matchAll(/node infra\/main\/admin\.ts (account invite .*)$/gm)].map(([, text]) => text!);
  expect(commands).toHaveLength(2);
  for (const command of commands) {
    const made = await admin(...command.split(' '));
    expect(made.url).toMatch(/^https:\/\/[\w.]+\/dashboard\/sign-up#invitation=/);
    expect((await signUp({ invitation: tokenOf(made) })).status).toBe(200);
  }
});

it('an invitation makes one account, only for its address, with its credit', async () => {
  await admin('sign-up', 'set', '--mode', 'invitation');
  const email = newEmail();
  const made = await admin('account', 'invite', '--email', email, '--usd', '2.5', '--base-url', 'https://eeg.example/');
  expect(made).toMatchObject({ email, credit_usd: '2.50', sign_up: 'invitation' });
  expect(made.url).toBe(`https://eeg.example${made.path}`);
  expect(made.path).toMatch(/^\/dashboard\/sign-up#invitation=[\w-]{43}$/);
  expect(Date.parse(made.expires_at) - Date.now()).toBeGreaterThan(6.9 * 86_400_000);
  const invitation = tokenOf(made);
  expect(failing(await signUp({ invitation }))).toEqual([422, ['invitation']]);
  expect(failing(await signUp({ invitation, email, password: 'short' }))).toEqual([422, ['password']]);
  expect((await signUp({ invitation, email: email.toUpperCase() })).body.balance_usd).toBe('7.50');
  expect(failing(await signUp({ invitation, email }))).toEqual([422, ['invitation']]);
  const { rows } = await api.database.admin.query(
    'SELECT count(*)::integer AS count FROM accounts WHERE lower(email) = $1',
    [email],
  );
  expect(rows[0].count).toBe(1);
  expect(await refused('account', 'invite', '--email', email)).toMatch(/already an account/);
});

it('an invitation that has expired, or whose address has an account, makes no account and stays unused', async () => {
  const taken = (await signUp({ invitation: tokenOf(await admin('account', 'invite')) })).body.email as string;
  const invitation = tokenOf(await admin('account', 'invite'));
  expect(failing(await signUp({ invitation, email: taken }))).toEqual([422, ['email']]);
  await api.database.admin.query(`UPDATE account_links SET expires_at = now()`);
  expect(failing(await signUp({ invitation }))).toEqual([422, ['invitation']]);
});

it('free credit that waits is given once, by the operator, and the books stay sound', async () => {
  await admin('sign-up', 'set', '--mode', 'open', '--free-credit', 'waits');
  const browser = browse();
  const { account_id: id, balance_usd, credit_waits } = (await signUp({}, browser)).body;
  expect([balance_usd, credit_waits]).toEqual(['0.00', true]);
  const { accounts } = await admin('account', 'list', '--waiting');
  expect(accounts.map((each: { account_id: string }) => each.account_id)).toEqual([id]);
  expect((await checkLedger(api.database.pool, { at: new Date() })).problems).toEqual([]);
  expect(await admin('account', 'approve-credit', '--account', id)).toEqual({ account_id: id, balance_usd: '5.00' });
  expect((await browser.get('/me')).body).toMatchObject({ credit_waits: false, balance_usd: '5.00' });
  expect(await refused('account', 'approve-credit', '--account', id)).toMatch(/No free credit waits/);
  expect((await checkLedger(api.database.pool, { at: new Date() })).problems).toEqual([]);
  await admin('sign-up', 'set', '--free-credit', 'at-once');
});

it('closing an account frees its address; the next account with this address waits for its free credit', async () => {
  const email = newEmail();
  const first = await signUp({ email });
  const id = first.body.account_id as string;
  const { token } = { token: tokenOf(await admin('account', 'reset-link', '--account', id)) };
  await api.database.pool.query('UPDATE accounts SET closed_at = now() WHERE id = $1', [id]);
  expect(failing(await browse().post('/reset', { token, password }))).toEqual([422, ['token']]);
  expect(await refused('account', 'reset-link', '--email', email)).toMatch(/no account/);
  expect(await refused('account', 'reset-link', '--account', id)).toMatch(/no account/);
  expect((await signUp({ email })).body).toMatchObject({ email, balance_usd: '0.00', credit_waits: true });
});

it('lists accounts, newest first, a page at a time', async () => {
  const { accounts, next_before: before } = await admin('account', 'list', '--limit', '2');
  expect(accounts).toHaveLength(2);
  expect(accounts[0]).toMatchObject({ keys: 0, terms: null, suspended_since: null, closed: null });
  const rest = await admin('account', 'list', '--before', before);
  expect(rest.accounts[0].account_id).not.toBe(accounts[1].account_id);
  expect(rest.next_before).toBeNull();
  expect(JSON.stringify(rest)).not.toContain('argon2id');
});

it('a reset link sets a password once, and ends sessions and other links', async () => {
  const browser = browse();
  const { email, account_id: id } = (await signUp({}, browser)).body;
  const [one, two] = [
    await admin('account', 'reset-link', '--email', email),
    await admin('account', 'reset-link', '--account', id),
  ];
  expect(one.path).toMatch(/^\/dashboard\/reset#token=[\w-]{43}$/);
  const token = tokenOf(one);
  const other = browse();
  expect(failing(await other.post('/reset', { token, password: email }))).toEqual([422, ['password']]);
  expect(failing(await other.post('/link', { token }))).toEqual([422, ['token']]);
  expect((await other.post('/reset', { token, password: 'quite another' })).body.email).toBe(email);
  expect([(await browser.get('/me')).status, (await other.get('/me')).status]).toEqual([401, 200]);
  for (const used of [token, tokenOf(two)])
    expect(failing(await browse().post('/reset', { token: used, password }))).toEqual([422, ['token']]);
  expect((await browse().post('/sign-in', { email, password })).status).toBe(401);
  expect(await admin('account', 'sessions', 'end', '--account', id)).toEqual({ account_id: id, sessions_ended: 1 });
  expect((await other.get('/me')).status).toBe(401);
  expect(await refused('account', 'reset-link', '--email', email, '--base-url', 'eeg.example')).toMatch(/--base-url/);
});

it('links cannot be guessed: after twenty wrong ones the network must wait', async () => {
  const browser = browse();
  await browser.post('/link', { token: 'x'.repeat(43) });
  await api.database.pool.query(`UPDATE account_attempts SET count = 20 WHERE kind = 'link-address'`);
  expect((await browser.post('/link', { token: 'y'.repeat(43) })).body.code).toBe('RATE_LIMITED');
});

it('sign-ups are counted by network, also those about an address that has an account', async () => {
  const browser = browse();
  const { email } = (await signUp({}, browser)).body;
  for (let i = 1; i < 10; i += 1) expect(failing(await signUp({ email }, browser))).toEqual([422, ['email']]);
  const refusal = await signUp({}, browser);
  expect([refusal.body.code, Number(refusal.headers['retry-after']) > 1_000]).toEqual(['RATE_LIMITED', true]);
});

it('the sweep removes sessions, links and attempts that have ended, and no others', async () => {
  const browser = browse();
  await signUp({}, browser);
  await admin('account', 'invite');
  const now = new Date();
  await reapAccounts(api.database.pool, now);
  expect((await browser.get('/me')).status).toBe(200);
  expect(await reapAccounts(api.database.pool, new Date(now.getTime() + 8 * 86_400_000))).toMatchObject({
    sessions: 0,
    links: 1,
  });
  const later = await reapAccounts(api.database.pool, new Date(now.getTime() + 15 * 86_400_000));
  expect(later.sessions).toBeGreaterThan(0);
  expect((await api.database.pool.query('SELECT FROM account_attempts')).rowCount).toBe(0);
});

it('open sign-ups get limited free credit an hour in total; a closed account is not waiting for any', async () => {
  await admin('sign-up', 'set', '--mode', 'open', '--free-credit', 'at-once');
  expect((await signUp({})).body.credit_waits).toBe(false);
  await api.database.pool.query(`UPDATE account_attempts SET count = 50 WHERE kind = 'free-credit'`);
  const { body } = await signUp({});
  expect([body.credit_waits, body.balance_usd]).toEqual([true, '0.00']);
  const waiting = async (): Promise<string[]> =>
    (await admin('account', 'list', '--waiting')).accounts.map((each: { email: string }) => each.email);
  expect(await waiting()).toContain(body.email);
  const listed = (await waiting()).length;
  await api.database.pool.query('UPDATE accounts SET closed_at = now() WHERE id = $1', [body.account_id]);
  expect(await waiting()).toHaveLength(listed - 1);
});
