import { afterAll, beforeAll, expect, test } from 'vitest';
import { quotaNames, quotas } from '../../infra/contract/quotas.ts';
import { runAdmin } from '../../infra/main/admin/run-admin.ts';
import { parseKey } from '../../infra/records/accounts/key-format.ts';
import { verifyPassword } from '../../infra/records/accounts/password.ts';
import { balance } from '../../infra/records/ledger/wallet.ts';
import { openAdmin } from '../support/admin.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => await database.drop());

const admin = async (...argv: string[]) => await runAdmin(argv, openAdmin(database.pool));
const answer = async (...argv: string[]) => {
  const { out, errors, exitCode } = await admin(...argv);
  expect({ errors, exitCode }).toEqual({ errors: [], exitCode: 0 });
  return JSON.parse(out!);
};
const refused = async (...argv: string[]) => {
  const { out, errors, exitCode } = await admin(...argv);
  expect(out).toBeNull();
  expect(exitCode).toBeGreaterThan(0);
  return errors.join('\n');
};
const newAccount = async (email: string) =>
  (await answer('account', 'create', '--email', email, '--password', 'long enough', '--accept-terms'))
    .account_id as string;

test('an account is created with credit, a key is made for it and the database keeps only its hash', async () => {
  const id = await newAccount('a@example.org');
  expect((await balance(database.pool, id)).available).toBe(5_000_000n);
  const { key, key_id } = await answer(
    'key',
    'create',
    '--account',
    id,
    '--mode',
    'live',
    '--scopes',
    'predictions,usage:read',
    '--allow-ip',
    '192.0.2.0/24',
    '--allow-ip',
    '2001:db8::/32',
    '--expires-at',
    '2099-01-01',
  );
  const { rows } = await database.pool.query('SELECT * FROM api_keys WHERE key_id = $1', [key_id]);
  expect(rows[0]).toMatchObject({
    account_id: id,
    mode: 'live',
    scopes: ['predictions', 'usage:read'],
    secret_hash: parseKey(key)!.hash,
    expires_at: new Date('2099-01-01'),
  });
  expect(JSON.stringify(rows)).not.toContain(key.slice(-48));
});

test('a key is made only after the terms were accepted', async () => {
  const { account_id } = await answer('account', 'create', '--email', 'b@example.org', '--password', 'long enough');
  expect(await refused('key', 'create', '--account', account_id, '--mode', 'test')).toMatch(/terms of service/);
  await answer('account', 'accept-terms', '--account', account_id);
  await answer('key', 'create', '--account', account_id, '--mode', 'test');
});

test('a revoked key has its time of revocation, which a second revocation keeps', async () => {
  const { key_id } = await answer('key', 'create', '--account', await newAccount('c@example.org'), '--mode', 'live');
  await answer('key', 'revoke', '--key-id', key_id);
  const when = async () =>
    (await database.pool.query('SELECT revoked_at FROM api_keys WHERE key_id = $1', [key_id])).rows[0].revoked_at;
  const first = await when();
  await answer('key', 'revoke', '--key-id', key_id);
  expect(await when()).toEqual(first);
});

test('credit, limits, suspension and the serving switch take effect', async () => {
  const id = await newAccount('d@example.org');
  expect(await answer('account', 'credit', '--account', id, '--usd', '0.000001')).toMatchObject({
    balance_usd: '5.000001',
  });
  expect(
    await answer(
      'account',
      'limits',
      '--account',
      id,
      '--rps',
      '3',
      '--burst',
      '4',
      '--concurrency',
      '5',
      '--daily-estimates',
      '6',
      '--daily-cap-usd',
      '7',
      '--monthly-cap-usd',
      '8.5',
      '--daily-windows',
      '9',
      '--monthly-windows',
      '10',
      ...quotaNames.flatMap((name, at) => [`--${quotas[name].column.replaceAll('_', '-')}`, String(20 + at)]),
    ),
  ).toEqual({
    account_id: id,
    limits: {
      rps: 3,
      burst: 4,
      concurrency: 5,
      daily_estimates: 6,
      daily_cap_usd: '7.00',
      monthly_cap_usd: '8.50',
      daily_windows: 9,
      monthly_windows: 10,
      ...Object.fromEntries(quotaNames.map((name, at) => [quotas[name].column, 20 + at])),
    },
  });
  expect(
    await answer('account', 'limits', '--account', id, '--daily-cap-usd', 'none', '--stored-answers', 'none'),
  ).toMatchObject({
    limits: { daily_cap_usd: null, monthly_cap_usd: '8.50', stored_answers: null, live_models: 24 },
  });
  await answer('account', 'suspend', '--account', id);
  expect(await answer('account', 'show', '--email', 'D@example.org')).toMatchObject({
    account_id: id,
    suspended: true,
  });
  await answer('account', 'resume', '--account', id);
  expect(await answer('account', 'show', '--account', id)).toMatchObject({ suspended: false });
  expect(await answer('serving', 'disable', '--message', 'Moving house')).toEqual({ serving: false });
  expect((await database.pool.query('SELECT * FROM service_state')).rows[0]).toMatchObject({
    serving: false,
    message: 'Moving house',
  });
  await answer('serving', 'enable');
});

test.each([
  [['account', 'create', '--email', 'nobody', '--password', 'long enough'], /not an e-mail/],
  [['account', 'create', '--email', 'A@EXAMPLE.org', '--password', 'long enough'], /already an account/],
  [['account', 'create', '--email', 'x@example.org', '--password', 'short'], /5 characters; at least 8/],
  [['account', 'create', '--password', 'long enough'], /--email is missing/],
  [['account', 'credit', '--account', 'x', '--usd', '5'], /no account x/],
  [['account', 'credit', '--account', 'x', '--usd', '5e3'], /not an amount/],
  [['account', 'limits', '--account', 'x', '--rps', '0'], /at least 1/],
  [['key', 'create', '--account', 'x', '--mode', 'prod'], /live or test/],
  [['key', 'revoke', '--key-id', 'x'], /no key x/],
  [['key', 'create', '--nonsense'], /Unknown option[^]*Usage/],
  [['dance'], /no command "dance"/],
])('%j is refused with a clear message', async (argv, message) => {
  expect(await refused(...argv)).toMatch(message);
});

test('ledger check prints what it found and fails when the books are wrong', async () => {
  expect(await answer('ledger', 'check')).toMatchObject({ ok: true, problems: [] });
  await database.admin.query('UPDATE wallets SET balance = balance + 1');
  const { out, errors, exitCode } = await admin('ledger', 'check');
  expect(exitCode).toBe(1);
  expect(JSON.parse(out!)).toMatchObject({ ok: false });
  expect(errors[0]).toMatch(/^wallets [0-9a-f-]{36}: balance \d+ and held 0, its entries sum to/);
});

test('a password is read from standard input, so that no list of processes shows it', async () => {
  const create = async (piped: string | null, ...more: string[]) =>
    await runAdmin(
      ['account', 'create', '--email', 'piped@example.org', '--accept-terms', ...more],
      openAdmin(database.pool, undefined, piped),
    );
  expect((await create(null)).errors[0]).toBe('--password is missing, and standard input holds none.');
  expect((await create('short', '--password', '-')).errors.join()).toMatch(/password/i);
  const { out, errors } = await create('a long one');
  expect(errors).toEqual([]);
  const { rows } = await database.pool.query<{ password_hash: string }>(
    'SELECT password_hash FROM accounts WHERE id = $1',
    [JSON.parse(out!).account_id],
  );
  expect(await verifyPassword('a long one', rows[0].password_hash)).toBe(true);
});
