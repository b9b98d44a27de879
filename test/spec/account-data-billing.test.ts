import { afterAll, beforeAll, expect, it } from 'vitest';
import { csvLine } from '../../api/account/data/csv.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { balance, lockWallet } from '../../infra/records/ledger/wallet.ts';
import { charge } from '../../infra/records/ledger/charges.ts';
import { credit } from '../../infra/records/ledger/credit.ts';
import { release, reserve } from '../../infra/records/ledger/holds.ts';
import { markCleaned, markDeleted } from '../../infra/records/task-models/transitions.ts';
import { startTestApi, type TestApi } from '../support/api.ts';
import { createModel } from '../support/money.ts';
import { signedInAccount, type SignedIn } from '../support/two-accounts.ts';

let api: TestApi;
let ann: SignedIn;
let bob: SignedIn;
const at = new Date();
const day = at.toISOString().slice(0, 10);
const names: Record<string, string> = {};

/** A model, windows, a hold that is released, and credit of the operator with a note. */
async function spend({ accountId }: SignedIn, note: string, windows: number): Promise<string> {
  const { pool, admin } = api.database;
  const id = await createModel(pool, accountId, at);
  await admin.query('UPDATE task_models SET name = $2 WHERE id = $1', [id, `=model of ${note}`]);
  const own = { accountId, mode: 'live', modelId: id, at } as const;
  await transaction(pool, (sql) => charge(sql, { ...own, kind: 'task_models.predict', windows }));
  await transaction(pool, (sql) => credit(sql, { accountId, amount: 7_000_000n, source: 'operator', at, note }));
  await transaction(pool, async (sql) => release(sql, await reserve(sql, own), at));
  return id;
}

beforeAll(async () => {
  api = await startTestApi({}, { inProcess: true });
  ann = await signedInAccount(api, 'ann');
  bob = await signedInAccount(api, 'bob');
  names['ann'] = await spend(ann, 'ann', 100);
  names['bob'] = await spend(bob, 'bob', 1);
});
afterAll(() => api.close());

const micro = (usd: string): number => Math.round(Number(usd) * 1e6);

it('ledger lines come newest first, each with the balance after it', async () => {
  const { body } = await ann.browser.get('/billing');
  const wallet = await balance(api.database.pool, ann.accountId);
  expect(micro(body.balance_usd)).toBe(Number(wallet.available));
  expect(body.data.map(({ kind }: { kind: string }) => kind)).toEqual([
    'hold.release',
    'hold.reserve',
    'credit.operator',
    'task_models.predict',
    'task_models.hosting',
    'task_models.create_fee',
    'hold.reserve',
    'credit.free',
  ]);
  expect(body.next_before).toBeNull();
  let sum = 0;
  for (const line of body.data.toReversed()) {
    sum += micro(line.amount_usd);
    expect(micro(line.balance_usd)).toBe(sum);
  }
  expect(body.data[0].balance_usd).toBe(body.balance_usd);
  const line = (kind: string) => body.data.find((each: { kind: string }) => each.kind === kind);
  expect(line('task_models.predict')).toMatchObject({ amount_usd: '-0.30', charged_usd: '0.30', windows: '100' });
  expect(line('task_models.create_fee')).toMatchObject({
    amount_usd: '0.00',
    charged_usd: '1.00',
    model_id: names['ann'],
  });
  expect(line('credit.operator')).toMatchObject({ amount_usd: '7.00', charged_usd: '0.00', note: 'ann' });
});

it('a page continues after the last line of the page before', async () => {
  const whole = (await ann.browser.get('/billing')).body.data;
  const pages: unknown[] = [];
  for (let before = ''; ;) {
    const { body } = await ann.browser.get(`/billing?limit=3${before}`);
    pages.push(...body.data);
    if (body.next_before === null) break;
    before = `&before=${body.next_before}`;
  }
  expect(pages).toEqual(whole);
  const { next_before: own } = (await ann.browser.get('/billing?limit=3')).body;
  expect((await bob.browser.get(`/billing?before=${own}`)).body).toMatchObject({ code: 'INVALID_REQUEST' });
  for (const bad of [
    'before=x',
    'before=',
    `before=${own.slice(1)}`,
    'before=-1',
    'limit=0',
    'limit=201',
    'limit=many',
  ])
    expect((await ann.browser.get(`/billing?${bad}`)).body).toMatchObject({
      code: 'INVALID_REQUEST',
      field: bad.split('=')[0],
    });
});

it('the CSV holds the same lines, the oldest first, and no formula', async () => {
  const reply = await ann.browser.get('/billing.csv');
  expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(reply.headers['content-disposition']).toBe(`attachment; filename="ledger-${day}.csv"`);
  const [head, ...lines] = reply.text.trimEnd().split('\r\n');
  const { data } = (await ann.browser.get('/billing')).body;
  const columns = head!.split(',');
  const expected = data.toReversed().map((line: Record<string, string | null>, at: number) =>
    columns
      .map((name) => {
        if (name === 'line') return at + 1;
        return name === 'model_name' && line[name] ? `'${line[name]}` : (line[name] ?? '');
      })
      .join(','),
  );
  expect(lines).toEqual(expected);
  expect(columns).toEqual(['line', ...Object.keys(data[0])]);
});

it('cells are quoted as in RFC 4180, and cells that a spreadsheet would compute are texts', () => {
  const cells = ['a,b', 'say "x"', 'two\r\nlines', '=1+1', '+1', '@sum', '\tx', '\rx', '-cmd', '-0.30', null, ' x'];
  expect(csvLine(cells)).toBe(`"a,b","say ""x""","two\r\nlines",'=1+1,'+1,'@sum,'\tx,"'\rx",'-cmd,-0.30,," x"\r\n`);
});

it('a long ledger is read in chunks, and sums up over them', async () => {
  const { accountId } = bob;
  await api.database.admin.query(
    `WITH added AS (
       INSERT INTO ledger_transactions (account_id, kind, note, at)
       SELECT $1, 'credit.operator', n::text, now() FROM generate_series(1, 2500) AS n RETURNING id)
     INSERT INTO ledger_entries (transaction_id, account_id, ledger_account, amount)
     SELECT id, $1::uuid, account, amount FROM added,
       (VALUES ('source.operator', -10), ('wallet', 10)) AS e (account, amount)`,
    [accountId],
  );
  const lines = (await bob.browser.get('/billing.csv')).text.trimEnd().split('\r\n');
  expect(lines).toHaveLength(1 + 8 + 2500);
  expect(lines.at(-1)!.split(',').at(-1)).toBe((await bob.browser.get('/billing')).body.balance_usd);
});

it('usage has a row for each UTC day, those without anything included', async () => {
  await ann.browser.get('/me');
  const { data } = (await ann.browser.get('/usage?days=3')).body;
  const before = (days: number): string => new Date(at.getTime() - days * 86_400_000).toISOString().slice(0, 10);
  const none = { requests: 0, refused: 0, windows: 0, test_windows: 0 };
  const nothing = { ...none, create_usd: '0.00', hosting_usd: '0.00', predict_usd: '0.00', usd: '0.00' };
  expect(data.slice(0, 2)).toEqual([
    { day: before(2), ...nothing },
    { day: before(1), ...nothing },
  ]);
  expect(data.at(-1)).toEqual({
    ...nothing,
    day,
    windows: 100,
    create_usd: '1.00',
    hosting_usd: '1.00',
    predict_usd: '0.30',
    usd: '2.30',
  });
  expect((await ann.browser.get('/usage')).body.data).toHaveLength(30);
  expect((await ann.browser.get('/usage?days=366')).body.data).toHaveLength(366);
  for (const days of ['0', '367', '1.5', 'x'])
    expect((await ann.browser.get(`/usage?days=${days}`)).body).toMatchObject({
      code: 'INVALID_REQUEST',
      field: 'days',
    });
});

it('an account sets and removes its own caps, also below the amount spent; the operator sets the other limits', async () => {
  const patch = (body: object) => ann.browser.send('PATCH', '/limits', body);
  const shown = (await ann.browser.get('/limits')).body;
  expect(shown).toMatchObject({
    daily_cap_usd: null,
    monthly_cap_usd: null,
    spent_today_usd: '2.30',
    spent_this_month_usd: '2.30',
    rps: 100_000,
    daily_windows: null,
  });
  expect((await patch({ daily_cap_usd: '1' })).body).toEqual({ ...shown, daily_cap_usd: '1.00' });
  expect((await patch({ monthly_cap_usd: '20.5' })).body).toMatchObject({
    daily_cap_usd: '1.00',
    monthly_cap_usd: '20.50',
  });
  expect((await bob.browser.get('/limits')).body.daily_cap_usd).toBeNull();
  expect((await patch({ daily_cap_usd: null, monthly_cap_usd: null })).body).toEqual(shown);
  for (const [body, field] of [
    [{ daily_cap_usd: '-1' }, 'daily_cap_usd'],
    [{ monthly_cap_usd: 5 }, 'monthly_cap_usd'],
    [{ rps: 1_000 }, 'rps'],
  ] as const)
    expect((await patch(body)).body).toMatchObject({ code: 'INVALID_REQUEST', field });
  const comma = (await patch({ daily_cap_usd: '5,50' })).body;
  expect(comma.message).toContain('must be an amount such as 5 or 5.50, at most six decimals.');
});

it('an account sees nothing of the other one', async () => {
  for (const path of ['/billing', '/billing.csv', '/usage', '/limits']) {
    const { text } = await ann.browser.get(path);
    expect(text).not.toContain(names['bob']);
    expect(text).not.toContain('bob');
  }
  const own = (await ann.browser.get('/billing')).body.data;
  expect(own).toHaveLength(8);
});

it('the name of a deleted model does not appear', async () => {
  const { pool } = api.database;
  expect((await ann.browser.get('/billing')).text).toContain('=model of ann');
  await transaction(pool, (sql) => markDeleted(sql, ann.accountId, names['ann']!, new Date()));
  for (const path of ['/billing', '/billing.csv'])
    expect((await ann.browser.get(path)).text).not.toContain('=model of');
  await markCleaned(pool, names['ann']!, 'all');
  expect((await ann.browser.get('/billing')).text).not.toContain('=model of');
});

it('a text is no formula for spreadsheets with other cell separators', () => {
  expect(csvLine(['a;=1+1', 'b\t@c', '-1.50', '=d', 'e;f'])).toBe("a;'=1+1,b\t'@c,-1.50,'=d,e;f\r\n");
});

it('a page has the same lines and balances after new lines', async () => {
  const read = async (query: string) => (await bob.browser.get(`/billing?limit=3${query}`)).body;
  const { next_before: before } = await read('');
  const then = await read(`&before=${before}`);
  const { accountId } = bob;
  await transaction(api.database.pool, (sql) => credit(sql, { accountId, amount: 1n, source: 'operator', at }));
  expect(then.data).toHaveLength(3);
  expect(await read(`&before=${before}`)).toMatchObject({ data: then.data });
});

it('lines of an account are in the order of their commits, so that a credit is not added below a page', async () => {
  const { pool } = api.database;
  const { accountId } = ann;
  const modelId = names['ann']!;
  const [charging, crediting] = [await pool.connect(), await pool.connect()];
  await charging.query('BEGIN');
  await lockWallet(charging, accountId);
  await crediting.query('BEGIN');
  const credited = credit(crediting, { accountId, amount: 3n, source: 'operator', at });
  await new Promise((resolve) => setTimeout(resolve, 200));
  await charge(charging, { accountId, mode: 'live', modelId, at, kind: 'task_models.predict', windows: 1 });
  await charging.query('COMMIT');
  await credited;
  const first = (await ann.browser.get('/billing?limit=1')).body;
  await crediting.query('COMMIT');
  for (const client of [charging, crediting]) client.release();
  expect(first.data[0].kind).toBe('task_models.predict');
  const rest = (await ann.browser.get(`/billing?limit=200&before=${first.next_before}`)).body.data;
  let sum = 0;
  for (const line of [...first.data, ...rest].toReversed()) {
    sum += micro(line.amount_usd);
    expect(micro(line.balance_usd)).toBe(sum);
  }
  expect((await ann.browser.get('/billing?limit=1')).body.data[0].kind).toBe('credit.operator');
});
