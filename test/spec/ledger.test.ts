import { afterAll, beforeAll, expect, test } from 'vitest';
import { setLimits } from '../../infra/records/accounts/accounts.ts';
import { assertAffordable, charge } from '../../infra/records/ledger/charges.ts';
import { balance } from '../../infra/records/ledger/wallet.ts';
import { capture, createCost, release, reserve } from '../../infra/records/ledger/holds.ts';
import { checkLedger } from '../../infra/records/ledger/check.ts';
import { credit } from '../../infra/records/ledger/credit.ts';
import { sealLedger } from '../../infra/records/ledger/seal.ts';
import { spending } from '../../infra/records/ledger/spending.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createModel, modelId, newAccount } from '../support/money.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => await database.drop());

const at = new Date('2026-05-14T12:00:00Z');
const predict = async (
  accountId: string,
  windows: number,
  model = modelId(),
  mode: 'live' | 'test' = 'live',
  when = at,
): Promise<void> =>
  await transaction(
    database.pool,
    async (sql) =>
      await charge(sql, {
        accountId,
        mode,
        modelId: model,
        kind: 'task_models.predict',
        windows,
        at: when,
      }),
  );
const hold = async (accountId: string, model = modelId()): Promise<string | null> =>
  await transaction(database.pool, async (sql) => await reserve(sql, { accountId, mode: 'live', modelId: model, at }));

test('a new account starts with a free credit of 5 dollars', async () => {
  const accountId = await newAccount(database.pool);
  expect(await balance(database.pool, accountId)).toEqual({ available: 5_000_000n, held: 0n });
});

test('a create costs its fee of 1 dollar and the first month of 1 dollar', async () => {
  const accountId = await newAccount(database.pool);
  await createModel(database.pool, accountId, at);
  expect(await balance(database.pool, accountId)).toEqual({ available: 3_000_000n, held: 0n });
  const { month } = await spending(database.pool, accountId, at);
  expect(month?.microUsd).toBe(2_000_000n);
  expect(month?.byKind['task_models.create_fee']?.microUsd).toBe(1_000_000n);
  expect(month?.byKind['task_models.hosting']?.microUsd).toBe(1_000_000n);
});

test('a prediction costs 0.003 dollars a window', async () => {
  const accountId = await newAccount(database.pool);
  await predict(accountId, 7, await createModel(database.pool, accountId, at));
  expect((await balance(database.pool, accountId)).available).toBe(2_979_000n);
  expect((await spending(database.pool, accountId, at)).today?.byKind['task_models.predict']).toEqual({
    microUsd: 21_000n,
    windows: 7n,
  });
});

test('reserved credit cannot be spent and comes back when the fit fails', async () => {
  const accountId = await newAccount(database.pool);
  const [first] = [await hold(accountId), await hold(accountId)];
  expect(await balance(database.pool, accountId)).toEqual({ available: 1_000_000n, held: 4_000_000n });
  await expect(hold(accountId)).rejects.toMatchObject({
    code: 'INSUFFICIENT_CREDIT',
    message: /costs \$2.00 and the balance is \$1.00 \(another \$4.00 is held.*\$1.00 is missing/,
  });
  await transaction(database.pool, async (sql) => await release(sql, first!, at));
  expect(await balance(database.pool, accountId)).toEqual({ available: 3_000_000n, held: 2_000_000n });
});

test('a hold is captured or released, never both, and only once', async () => {
  const accountId = await newAccount(database.pool);
  const run = async (fn: typeof transaction extends (pool: never, fn: infer F) => unknown ? F : never) =>
    await transaction(database.pool, fn as never);
  const [a, b] = [modelId(), modelId()];
  const [holdA, holdB] = [await hold(accountId, a), await hold(accountId, b)];
  const take = async (id: string | null, model: string) =>
    await run(async (sql) => await capture(sql, id, { modelId: model, accountId, mode: 'live', at, fittedAt: at }));
  await take(holdA, a);
  await take(holdA, a);
  await expect(run(async (sql) => await release(sql, holdA, at))).rejects.toThrow(/captured and cannot be released/);
  await run(async (sql) => await release(sql, holdB, at));
  await run(async (sql) => await release(sql, holdB, at));
  await expect(take(holdB, b)).rejects.toThrow(/released and cannot be captured/);
  await expect(take(holdA, b)).rejects.toThrow(/is for model/);
  expect(await balance(database.pool, accountId)).toEqual({ available: 3_000_000n, held: 0n });
  await expect(
    database.pool.query(`UPDATE holds SET state = 'open', resolved_at = NULL WHERE id = $1`, [holdA]),
  ).rejects.toThrow(/cannot change/);
});

test('twenty concurrent captures and releases of one hold end in exactly one of both', async () => {
  const accountId = await newAccount(database.pool);
  const model = modelId();
  const id = await hold(accountId, model);
  const results = await Promise.allSettled(
    Array.from(
      { length: 20 },
      async (_, i) =>
        await transaction(database.pool, async (sql) => {
          await (i % 2
            ? release(sql, id, at)
            : capture(sql, id, { modelId: model, accountId, mode: 'live', at, fittedAt: at }));
        }),
    ),
  );
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(10);
  expect([3_000_000n, 5_000_000n]).toContain((await balance(database.pool, accountId)).available);
});

test.each([
  ['task_models.hosting', `null, now(), now() + interval '720 hours', 1`],
  ['task_models.hosting', '2, now(), null, 1'],
  ['task_models.hosting_refund', 'null, null, null, 1'],
  ['task_models.create_fee', 'null, null, null, 1'],
  ['task_models.predict', 'null, null, null, 1'],
])('a transaction without a value that its kind needs is refused: %s with %s', async (kind, values) => {
  const insert = `INSERT INTO ledger_transactions (account_id, kind, model_id, period, starts_at, ends_at, unit_price, at)
    SELECT account_id, '${kind}', 'clf_x', ${values}, now() FROM wallets LIMIT 1`;
  await expect(database.pool.query(insert)).rejects.toThrow(/ledger_transactions_sound/);
});

test('the create fee and each hosting month of a model are charged once', async () => {
  const accountId = await newAccount(database.pool);
  const model = await createModel(database.pool, accountId, at);
  const again = await hold(accountId, model);
  await expect(
    transaction(
      database.pool,
      async (sql) => await capture(sql, again, { modelId: model, accountId, mode: 'live', at, fittedAt: at }),
    ),
  ).rejects.toThrow(/ledger_once_pkey/);
  await transaction(database.pool, async (sql) => await release(sql, again, at));
  const month = async (period: number) =>
    await transaction(
      database.pool,
      async (sql) =>
        await charge(sql, {
          accountId,
          mode: 'live',
          modelId: model,
          kind: 'task_models.hosting',
          period,
          fittedAt: at,
          at,
        }),
    );
  await expect(month(1)).rejects.toThrow(/ledger_once_pkey/);
  expect((await balance(database.pool, accountId)).available).toBe(3_000_000n);
});

test('test keys leave no ledger row and pay nothing', async () => {
  const accountId = await newAccount(database.pool);
  const before = await database.pool.query('SELECT FROM ledger_transactions');
  const model = await createModel(database.pool, accountId, at, 'test');
  await predict(accountId, 9, model, 'test');
  await transaction(
    database.pool,
    async (sql) => await assertAffordable(sql, { accountId, mode: 'test', amount: 99_000_000n, at }),
  );
  expect((await database.pool.query('SELECT FROM ledger_transactions')).rowCount).toBe(before.rowCount);
  expect(await balance(database.pool, accountId)).toEqual({ available: 5_000_000n, held: 0n });
  expect(await spending(database.pool, accountId, at, 'live')).toEqual({ today: null, month: null });
});

test('an estimate is refused when the balance does not cover fee and first month, and holds nothing', async () => {
  const accountId = await newAccount(database.pool);
  const estimate = async () =>
    await assertAffordable(database.pool, { accountId, mode: 'live', amount: createCost, at });
  await estimate();
  await predict(accountId, 1_001);
  await expect(estimate()).rejects.toMatchObject({ code: 'INSUFFICIENT_CREDIT', status: 402 });
  expect(await balance(database.pool, accountId)).toEqual({ available: 1_997_000n, held: 0n });
});

test('a daily spending cap counts open holds and resets on the next UTC day', async () => {
  const accountId = await newAccount(database.pool);
  await setLimits(database.pool, accountId, { dailyCapMicroUsd: 2_100_000n });
  await hold(accountId);
  await predict(accountId, 33);
  await expect(predict(accountId, 1)).rejects.toMatchObject({
    code: 'BUDGET_EXCEEDED',
    status: 402,
    message: /\$0.003.*\$0.099 spent this day and \$2.00 held.*daily spending cap of \$2.10.*\$2.102/,
    alternatives: [],
    details: { resets_in_seconds: 43_200 },
  });
  await predict(accountId, 20, modelId(), 'live', new Date('2026-05-15T00:00:00Z'));
});

test('a monthly spending cap refuses a charge that would exceed it', async () => {
  const accountId = await newAccount(database.pool);
  await setLimits(database.pool, accountId, { monthlyCapMicroUsd: 30_000n });
  await predict(accountId, 10, modelId(), 'live', new Date('2026-05-01T00:00:00Z'));
  await expect(predict(accountId, 1, modelId(), 'live', new Date('2026-05-31T23:59:59Z'))).rejects.toMatchObject({
    code: 'BUDGET_EXCEEDED',
  });
  await predict(accountId, 1, modelId(), 'live', new Date('2026-06-01T00:00:00Z'));
});

test('a cap on windows answers 429 with the seconds to the next UTC day or month, for test keys too', async () => {
  const accountId = await newAccount(database.pool);
  await setLimits(database.pool, accountId, { dailyWindows: 10n, monthlyWindows: 25n });
  await predict(accountId, 6);
  await predict(accountId, 3, modelId(), 'test');
  await expect(predict(accountId, 2)).rejects.toMatchObject({
    code: 'USAGE_CAP_EXCEEDED',
    status: 429,
    retryAfterSeconds: 43_200,
    message: /2 windows, and 9 of the 10 windows .* 1 are left.*Send at most 1 windows\./,
    alternatives: [],
  });
  await predict(accountId, 10, modelId(), 'live', new Date('2026-05-15T12:00:00Z'));
  await expect(predict(accountId, 7, modelId(), 'live', new Date('2026-05-16T00:00:00Z'))).rejects.toMatchObject({
    code: 'USAGE_CAP_EXCEEDED',
    retryAfterSeconds: 16 * 86_400,
    details: { period: 'month' },
  });
});

test('the operator adds credit and can take it back, never below zero', async () => {
  const accountId = await newAccount(database.pool);
  const add = async (amount: bigint) =>
    await transaction(database.pool, async (sql) => await credit(sql, { accountId, amount, source: 'operator', at }));
  await add(10_000_000n);
  await add(-14_000_000n);
  expect((await balance(database.pool, accountId)).available).toBe(1_000_000n);
  await expect(add(-1_000_001n)).rejects.toThrow(/wallets_balance_not_negative/);
});

test('the resulting books are sound, except for windows charged without a model', async () => {
  await sealLedger(database.pool);
  const { problems, checked } = await checkLedger(database.pool, { at: new Date('2026-06-10T00:00:00Z') });
  expect(checked.length).toBeGreaterThanOrEqual(15);
  expect(new Set(problems.map(({ invariant }) => invariant))).toEqual(
    new Set([
      'every charge is for a live model of the same account',
      'a captured hold is for a live model of its account, and no hold is for a model of another',
      // Its accounts are made now, and their credit is dated earlier.
      'no credit is dated before its account',
      'a fitted live model has paid its create fee once',
      'hosting months follow each other from the fit without gap or overlap',
    ]),
  );
});
