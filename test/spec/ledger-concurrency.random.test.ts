import { array, assert as always, asyncProperty, integer, oneof, record, constant } from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiError } from '../../infra/contract/errors.ts';
import { prices } from '../../infra/contract/prices.ts';
import { balance } from '../../infra/records/ledger/wallet.ts';
import { capture, createCost, release, reserve } from '../../infra/records/ledger/holds.ts';
import { charge } from '../../infra/records/ledger/charges.ts';
import { checkLedger } from '../../infra/records/ledger/check.ts';
import { spending } from '../../infra/records/ledger/spending.ts';
import { activate } from '../../infra/records/task-models/transitions.ts';
import { insertFitting } from '../../infra/records/task-models/models.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { runs, seed } from '../support/counts.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createModel, newAccount, newModel } from '../support/money.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => await database.drop());

const at = new Date('2026-05-14T12:00:00Z');

interface Operation {
  readonly kind: 'predict' | 'create-then-fit' | 'create-then-fail';
  readonly windows: number;
}

/** Carries one operation out and returns the micro-dollars it charged; a refusal charges nothing and must be a 402. */
async function perform(accountId: string, hosted: string, { kind, windows }: Operation): Promise<bigint> {
  try {
    if (kind === 'predict') {
      const amount = prices.window * BigInt(windows);
      await transaction(
        database.pool,
        async (sql) =>
          await charge(sql, {
            accountId,
            mode: 'live',
            modelId: hosted,
            kind: 'task_models.predict',
            windows,
            at,
          }),
      );
      return amount;
    }
    const model = newModel(accountId, at);
    const holdId = await transaction(database.pool, async (sql) => {
      const hold = await reserve(sql, { accountId, mode: 'live', modelId: model.id, at });
      await insertFitting(sql, model);
      return hold;
    });
    await transaction(database.pool, async (sql) => {
      if (kind === 'create-then-fail') return await release(sql, holdId, at);
      await activate(sql, {
        pins: [],
        id: model.id,
        fittedAt: at,
        method: { id: 'm', version: '1', title: 'M' },
        classes: ['a', 'b'],
        trainingReport: {},
        modelRef: model.id,
      });
      return await capture(sql, holdId, { modelId: model.id, accountId, mode: 'live', at, fittedAt: at });
    });
    return kind === 'create-then-fit' ? createCost : 0n;
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ code: 'INSUFFICIENT_CREDIT', status: 402 });
    return 0n;
  }
}

async function watch(accountId: string, done: () => boolean): Promise<void> {
  while (!done()) {
    const { available, held } = await balance(database.pool, accountId);
    expect(available >= 0n && held >= 0n && available + held <= prices.newAccountCredit).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

const operation = record({
  kind: oneof(
    { weight: 8, arbitrary: constant<Operation['kind']>('predict') },
    constant<Operation['kind']>('create-then-fit'),
    constant<Operation['kind']>('create-then-fail'),
  ),
  windows: integer({ min: 1, max: 60 }),
});

test('500 concurrent creates, predictions and batches on one wallet of 5 dollars never overdraw it, the sum is exact and every refusal is a 402', async () => {
  await always(
    asyncProperty(array(operation, { minLength: 500, maxLength: 500, size: 'max' }), async (operations) => {
      const accountId = await newAccount(database.pool, at);
      const hosted = await createModel(database.pool, accountId, at);
      let done = false;
      const watching = watch(accountId, () => done);
      const charged = await Promise.all(operations.map(async (each) => await perform(accountId, hosted, each)));
      done = true;
      await watching;
      const total = charged.reduce((sum, amount) => sum + amount, createCost);
      expect(await balance(database.pool, accountId)).toEqual({ available: prices.newAccountCredit - total, held: 0n });
      expect((await spending(database.pool, accountId, at)).month?.microUsd).toBe(total);
      const smallest = Math.min(
        ...operations.filter((each, i) => each.kind === 'predict' && charged[i] === 0n).map((each) => each.windows),
      );
      expect(
        prices.newAccountCredit - total <
          prices.window * BigInt(smallest === Infinity ? 10_000 : smallest) + createCost,
      ).toBe(true);
    }),
    { numRuns: runs(1, 6), seed: seed() },
  );
  expect((await checkLedger(database.pool)).problems).toEqual([]);
});

test('wallets of different accounts do not wait for each other', async () => {
  const [a, b] = [await newAccount(database.pool, at), await newAccount(database.pool, at)];
  const [first, second] = [await createModel(database.pool, a, at), await createModel(database.pool, b, at)];
  const common = { mode: 'live', kind: 'task_models.predict', windows: 1, at } as const;
  await transaction(database.pool, async (sql) => {
    await charge(sql, { ...common, accountId: a, modelId: first });
    const beside = transaction(database.pool, async (other) => {
      await other.query(`SET LOCAL lock_timeout = '500ms'`);
      await charge(other, { ...common, accountId: b, modelId: second });
    });
    await expect(beside).resolves.toBeUndefined();
  });
});
