import { afterAll, beforeAll, expect, test } from 'vitest';
import { formatUsd, parseUsd } from '../../infra/contract/prices.ts';
import { runAdmin } from '../../infra/main/admin/run-admin.ts';
import { balance } from '../../infra/records/ledger/wallet.ts';
import { checkLedger } from '../../infra/records/ledger/check.ts';
import { credit } from '../../infra/records/ledger/credit.ts';
import { readStored } from '../../infra/records/task-models/models.ts';
import { settleDue } from '../../infra/records/task-models/lifecycle.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { openAdmin } from '../support/admin.ts';
import { newAccount, newKey, send, startTestApi, type Reply, type TestApi } from '../support/api.ts';
import { createBody } from '../support/requests.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(async () => await api.close());

const path = '/v1/task-models';
const day = 86_400_000;
const signal = (change: Record<string, unknown> = {}) => {
  const { description: _description, labels: _labels, ...rest } = createBody(change);
  return rest;
};
const post = async (key: string, url: string, body?: unknown): Promise<Reply> =>
  await send(api.app, key, 'POST', url, body);
const left = async (accountId: string): Promise<bigint> => (await balance(api.database.pool, accountId)).available;
const usage = async (key: string) => (await send(api.app, key, 'GET', '/v1/usage')).body;
const add = async (accountId: string, usd: number) =>
  await transaction(
    api.database.pool,
    async (sql) =>
      await credit(sql, { accountId, amount: BigInt(usd) * 1_000_000n, source: 'operator', at: new Date() }),
  );

/** Moves a model's whole past back in time. */
async function age(id: string, days: number): Promise<void> {
  await api.database.admin.query(`BEGIN; SET LOCAL session_replication_role = replica;
    UPDATE task_models SET created_at = created_at - interval '${days} days', fitted_at = fitted_at - interval '${days} days', paid_through = paid_through - interval '${days} days' WHERE id = '${id}';
    UPDATE ledger_transactions SET starts_at = starts_at - interval '${days} days', ends_at = ends_at - interval '${days} days' WHERE model_id = '${id}'; COMMIT`);
}

test('the figures of an estimate equal the later charge, to the micro-dollar', async () => {
  const { key, accountId } = await newAccount(api.database);
  const { body: estimate } = await post(key, path, createBody({ dry_run: true }));
  const before = await left(accountId);
  expect(before).toBe(5_000_000n);
  expect((await usage(key)).month.usd).toBe('0.00');
  const created = await post(key, path, createBody());
  expect(created.status, created.text).toBe(201);
  expect(before - (await left(accountId))).toBe(
    parseUsd(estimate.create_usd) + parseUsd(estimate.hosting_usd_per_month),
  );
  expect(created.body.cost.usd).toBe(formatUsd(2_000_000n));
});

test('the usage record of a create holds what its job captured, whatever the prices are by then', async () => {
  const { key, accountId } = await newAccount(api.database);
  const runFit = async () => ({ status: 201, body: '{}', microUsd: 1_700_000n });
  const app = api.second({ jobs: { ...api.deps.jobs, runFit } });
  expect((await send(app, key, 'POST', path, createBody())).status).toBe(201);
  const { rows } = await api.database.pool.query('SELECT micro_usd FROM usage_days WHERE account_id = $1', [accountId]);
  expect(rows).toEqual([{ micro_usd: 1_700_000n }]);
});

test('a prediction and a batch cost what their answers say, and month.usd is the sum of all charges', async () => {
  const { key, accountId } = await newAccount(api.database);
  const { body: model } = await post(key, path, createBody());
  const spent = async (work: () => Promise<Reply>): Promise<Reply> => {
    const before = await left(accountId);
    const reply = await work();
    expect(reply.status, reply.text).toBeLessThan(300);
    expect(before - (await left(accountId))).toBe(parseUsd(reply.body.cost.usd));
    expect(parseUsd(reply.body.cost.usd)).toBe(3_000n * BigInt(reply.body.cost.windows));
    return reply;
  };
  await spent(async () => await post(key, `${path}/${model.id}/predictions`, signal()));
  const { body: collecting } = await spent(async () => await post(key, path, createBody({ defer_fit: true })));
  await spent(
    async () => await post(key, `${path}/${collecting.id}/trials`, { ...signal(), labels: createBody()['labels'] }),
  );
  const before = await left(accountId);
  expect((await post(key, `${path}/${collecting.id}/fit`)).status).toBe(200);
  expect(before - (await left(accountId))).toBe(2_000_000n);
  const { month, today } = await usage(key);
  expect(parseUsd(month.usd)).toBe(5_000_000n - (await left(accountId)));
  expect(month).toMatchObject({ task_model_create_usd: '2.00', task_model_hosting_usd: '2.00', windows: '36' });
  expect(today.usd).toBe(month.usd);
});

test('refused requests cost nothing and are recorded with their code', async () => {
  const { key, accountId } = await newAccount(api.database);
  const refused = [
    await post(key, path, createBody({ units: 'unknown' })),
    await post(key, path, createBody({ labels: Array.from({ length: 12 }, () => 'one') })),
    await post(key, `${path}/clf_${'0'.repeat(32)}/predictions`, signal()),
  ];
  expect(refused.map((reply) => reply.body.code)).toEqual(['UNITS_REQUIRED', 'TOO_FEW_TRIALS', 'CLASSIFIER_NOT_FOUND']);
  expect(await left(accountId)).toBe(5_000_000n);
  const { rows } = await api.database.pool.query(
    'SELECT code, micro_usd FROM usage_days WHERE account_id = $1 ORDER BY code',
    [accountId],
  );
  expect(rows).toEqual(
    ['CLASSIFIER_NOT_FOUND', 'TOO_FEW_TRIALS', 'UNITS_REQUIRED'].map((code) => ({ code, micro_usd: 0n })),
  );
});

test('test keys pay nothing for anything', async () => {
  const { accountId } = await newAccount(api.database);
  const { key } = await newKey(api.database, accountId, { mode: 'test' });
  const { body: model } = await post(key, path, createBody());
  expect((await post(key, `${path}/${model.id}/predictions`, signal())).body.cost.usd).toBe('0.00');
  const { body: collecting } = await post(key, path, createBody({ defer_fit: true }));
  expect((await post(key, `${path}/${collecting.id}/fit`)).status).toBe(200);
  expect(await left(accountId)).toBe(5_000_000n);
  const { rowCount } = await api.database.pool.query('SELECT FROM ledger_transactions WHERE account_id = $1', [
    accountId,
  ]);
  expect(rowCount).toBe(1);
  expect(JSON.stringify(await usage(key))).not.toContain('task_model_create_usd');
});

test('a prediction pays a hosting month that has begun before anything else, and is refused with 402 when it cannot', async () => {
  const { key, accountId } = await newAccount(api.database);
  const [{ body: model }, { body: other }] = [await post(key, path, createBody()), await post(key, path, createBody())];
  for (const id of [model.id, other.id]) await age(id, 32);
  const predict = async (id: string) => await post(key, `${path}/${id}/predictions`, signal());
  expect((await predict(model.id)).body.code).toBe('INSUFFICIENT_CREDIT');
  expect(await left(accountId)).toBe(1_000_000n);
  await add(accountId, 2);
  for (const id of [model.id, other.id]) {
    expect((await predict(id)).status).toBe(200);
    const stored = await readStored(api.database.pool, id);
    expect(stored!.paidThrough!.getTime() - stored!.fittedAt!.getTime()).toBe(60 * day);
  }
  expect(await left(accountId)).toBe(1_000_000n - 72_000n);
});

test('credit from the operator pays unpaid hosting at once', async () => {
  const { key, accountId } = await newAccount(api.database);
  const made = [await post(key, path, createBody()), await post(key, path, createBody())].map(
    (reply) => reply.body.id as string,
  );
  for (const id of made) {
    await age(id, 32);
    await transaction(api.database.pool, async (sql) => await settleDue(sql, id, new Date()));
  }
  const unpaid = made[1]!;
  expect(await readStored(api.database.pool, unpaid)).toMatchObject({
    status: 'active',
    unpaidSince: expect.any(Date),
  });
  const refused = await post(key, `${path}/${unpaid}/predictions`, signal());
  expect([refused.status, refused.body.code]).toEqual([402, 'INSUFFICIENT_CREDIT']);
  expect(refused.body.message).toContain('hosting month');
  const { out } = await runAdmin(
    ['account', 'credit', '--account', accountId, '--usd', '2'],
    openAdmin(api.database.pool),
  );
  expect(JSON.parse(out!)).toEqual({ account_id: accountId, balance_usd: '1.00', hosting_paid: [unpaid] });
  expect((await post(key, `${path}/${unpaid}/predictions`, signal())).status).toBe(200);
  const stored = await readStored(api.database.pool, unpaid);
  expect(stored!.paidThrough!.getTime() - stored!.fittedAt!.getTime()).toBe(60 * day);
});

test('concurrent creates, predictions and batches on 5 dollars: every refusal is a 402 and the sum is exact', async () => {
  const { key, accountId } = await newAccount(api.database);
  const { body: model } = await post(key, path, createBody());
  await transaction(
    api.database.pool,
    async (sql) => await credit(sql, { accountId, amount: -900_000n, source: 'operator', at: new Date() }),
  );
  const replies: Reply[] = [];
  const one = async (i: number): Promise<Reply> => {
    if (i % 30 === 0) return await post(key, path, createBody());
    return i % 9 === 1
      ? await post(key, path, createBody({ defer_fit: true }))
      : await post(key, `${path}/${model.id}/predictions`, signal());
  };
  for (let i = 0; i < 96; i += 16)
    replies.push(...(await Promise.all(Array.from({ length: 16 }, async (_, j) => await one(i + j)))));
  const failed = replies.filter((reply) => reply.status >= 300);
  expect(new Set(failed.map((reply) => `${reply.status} ${reply.body.code}`))).toEqual(
    new Set(['402 INSUFFICIENT_CREDIT']),
  );
  const charged = replies
    .filter((reply) => reply.status < 300)
    .reduce((sum, reply) => sum + parseUsd(reply.body.cost.usd), 0n);
  expect(await balance(api.database.pool, accountId)).toEqual({ available: 2_100_000n - charged, held: 0n });
}, 300_000);

test('after all of this the books are sound', async () => {
  await add((await newAccount(api.database)).accountId, 1);
  expect((await checkLedger(api.database.pool, { at: new Date() })).problems).toEqual([]);
});
