import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { prices } from '../../infra/contract/prices.ts';
import { createPool } from '../../infra/drivers/postgres/pool.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { setLimits } from '../../infra/records/accounts/accounts.ts';
import { Busy } from '../../infra/records/batch-queue.ts';
import { storedAnswer } from '../../infra/records/admission/idempotency.ts';
import { balance } from '../../infra/records/ledger/wallet.ts';
import {
  chargePredictions,
  type Charged,
  type ChargeOutcome,
  type Prediction,
} from '../../infra/records/ledger/predictions.ts';
import { checkLedger } from '../../infra/records/ledger/check.ts';
import { createChargeQueue } from '../../infra/records/ledger/charge-queue.ts';
import { credit } from '../../infra/records/ledger/credit.ts';
import { reserve } from '../../infra/records/ledger/holds.ts';
import { spending } from '../../infra/records/ledger/spending.ts';
import { markDeleted } from '../../infra/records/task-models/transitions.ts';
import { keyedPrediction, predictionOf } from '../support/charging.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createModel, modelId, newAccount } from '../support/money.ts';

let database: TestDatabase;
let accountId: string;
let model: string;
const at = new Date();
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => await database.drop());
beforeEach(async () => {
  accountId = await newAccount(database.pool, at);
  model = await createModel(database.pool, accountId, at);
});

const payer = () => ({ accountId, mode: 'live' as const, endpoint: 'task_models.predict' });
const prediction = (change: Partial<Prediction> = {}) => predictionOf(model, at, change);
const charge = (predictions: readonly Prediction[], how: { mode?: 'live' | 'test'; waits?: boolean } = {}) =>
  chargePredictions(database.pool, { ...payer(), ...how }, [{ accountId, predictions }], { waits: how.waits ?? true });
const outcomesOf = async (...args: Parameters<typeof charge>) =>
  (await charge(...args)).map((each) => (each instanceof Busy ? 'busy' : each.outcome));
const available = async () => (await balance(database.pool, accountId)).available;
const sound = async () => expect((await checkLedger(database.pool)).problems).toEqual([]);

const keyed = (body: string, change: Partial<Prediction> = {}) =>
  keyedPrediction(database.pool, accountId, prediction(change), body);

it('of two simultaneous requests with one key, only the owner of the key is charged, and its answer is stored', async () => {
  const before = await available();
  const first = await keyed('first');
  const second = prediction({ answer: { ...first.answer!, body: 'second' } });
  await database.pool.query('UPDATE idempotency_keys SET lock_id = $2 WHERE key = $1', [
    first.answer!.key,
    second.leaseId,
  ]);
  expect(await outcomesOf([first, second])).toEqual(['lost', 'charged']);
  expect(before - (await available())).toBe(prices.window);
  expect(await storedAnswer(database.pool, { accountId, mode: 'live', ...first.answer! })).toMatchObject({
    body: 'second',
  });
  await sound();
});

it('a locked model is busy: others are charged meanwhile, and only its own request waits', async () => {
  const other = await createModel(database.pool, accountId, at);
  const held = prediction({ modelId: other });
  let waiting: Promise<string[]> | undefined;
  await transaction(database.pool, async (sql) => {
    await sql.query('SELECT FROM task_models WHERE id = $1 FOR UPDATE', [other]);
    expect(await outcomesOf([held, prediction()], { waits: false })).toEqual(['busy', 'charged']);
    waiting = outcomesOf([held]);
  });
  expect(await waiting).toEqual(['charged']);
  await sound();
});

it('a locked wallet and a locked Idempotency-Key are busy, too', async () => {
  const first = await keyed('first');
  for (const [lock, values] of [
    ['SELECT FROM wallets WHERE account_id = $1 FOR UPDATE', [accountId]],
    ['SELECT FROM idempotency_keys WHERE key = $1 FOR UPDATE', [first.answer!.key]],
  ] as const)
    await transaction(database.pool, async (sql) => {
      await sql.query(lock, [...values]);
      expect(await outcomesOf([first], { waits: false })).toEqual(['busy']);
    });
  expect(await outcomesOf([first])).toEqual(['charged']);
  await sound();
});

it('requests are charged independently: a refused one costs nothing and does not block the others', async () => {
  const deleted = await createModel(database.pool, accountId, at);
  await transaction(database.pool, (sql) => markDeleted(sql, accountId, deleted, at));
  const before = await available();
  const lost = await keyed('lost');
  await database.pool.query('UPDATE idempotency_keys SET lock_id = $2 WHERE key = $1', [
    lost.answer!.key,
    randomUUID(),
  ]);
  const answers = [await keyed('{"a":"ä\\" 1"}'), await keyed('"𝄞"', { windows: 3, endsLease: false })] as const;
  const predictions = [
    prediction({ windows: 2 }),
    prediction({ modelId: deleted }),
    answers[0],
    prediction({ modelId: modelId() }),
    lost,
    prediction({ windows: 1_000_000 }),
    answers[1],
  ];
  const charged = (await charge(predictions)) as Charged[];
  expect(charged.map(({ outcome }) => outcome)).toEqual([
    'charged',
    'ended',
    'charged',
    'ended',
    'lost',
    'refused',
    'charged',
  ] satisfies ChargeOutcome[]);
  expect(charged.map(({ leaseEnded }) => leaseEnded)).toEqual([false, false, true, false, false, false, false]);
  expect(before - (await available())).toBe(6n * prices.window);
  for (const { answer } of answers)
    expect(await storedAnswer(database.pool, { accountId, mode: 'live', ...answer! })).toEqual({
      status: 200,
      body: answer!.body,
    });
  expect(await storedAnswer(database.pool, { accountId, mode: 'live', ...lost.answer! })).toBeNull();
  const { rows } = await database.pool.query(
    `SELECT sum(requests)::int AS requests, sum(windows)::int AS windows, sum(micro_usd)::int AS "microUsd",
            (SELECT count(*)::int FROM request_log WHERE account_id = $1) AS logged
     FROM usage_days WHERE account_id = $1 AND status = 200 AND code = 'ok'`,
    [accountId],
  );
  expect(rows).toEqual([{ requests: 3, windows: 6, microUsd: 18_000, logged: 3 }]);
  await sound();
});

it('a charge is refused while hosting is due, and does not pay it', async () => {
  const old = new Date(at.getTime() - 31 * 86_400_000);
  const payable = await createModel(database.pool, accountId, old);
  expect(await outcomesOf([prediction({ modelId: payable }), prediction()])).toEqual(['due', 'charged']);
});

it('credit and caps hold to the last micro-dollar and window within one statement', async () => {
  await transaction(database.pool, (sql) =>
    credit(sql, { accountId, amount: -(3_000_000n - 3n * prices.window - 1n), source: 'operator', at }),
  );
  expect(await outcomesOf(Array.from({ length: 5 }, () => prediction()))).toEqual([
    'charged',
    'charged',
    'charged',
    'refused',
    'refused',
  ]);
  expect(await available()).toBe(1n);
  await transaction(database.pool, (sql) => credit(sql, { accountId, amount: 10_000_000n, source: 'operator', at }));
  const spent = (await spending(database.pool, accountId, at, 'live')).today!.microUsd;
  await transaction(database.pool, (sql) => reserve(sql, { accountId, mode: 'live', modelId: modelId(), at }));
  await setLimits(database.pool, accountId, { dailyCapMicroUsd: spent + 2_000_000n + prices.window });
  expect(await outcomesOf([prediction({ windows: 2 }), prediction(), prediction()])).toEqual([
    'refused',
    'charged',
    'refused',
  ]);
  await setLimits(database.pool, accountId, { dailyCapMicroUsd: null, monthlyWindows: 7n });
  expect(await outcomesOf([prediction({ windows: 4 }), prediction({ windows: 3 }), prediction()])).toEqual([
    'refused',
    'charged',
    'refused',
  ]);
});

it('test keys count windows, post nothing to the ledger, and see only their own models', async () => {
  const before = await available();
  const own = await createModel(database.pool, accountId, at, 'test');
  await setLimits(database.pool, accountId, { dailyWindows: 2n });
  const three = [
    prediction({ modelId: own }),
    prediction(),
    prediction({ modelId: own }),
    prediction({ modelId: own }),
  ];
  expect(await outcomesOf(three, { mode: 'test' })).toEqual(['charged', 'ended', 'charged', 'refused']);
  expect(await available()).toBe(before);
  expect((await spending(database.pool, accountId, at, 'test')).today).toMatchObject({ windows: 2n, microUsd: 0n });
  await sound();
});

it('concurrent charges of one wallet from two processes spend exactly its balance', async () => {
  await transaction(database.pool, (sql) =>
    credit(sql, { accountId, amount: -(3_000_000n - 50n * prices.window - 7n), source: 'operator', at }),
  );
  const pools = [database.pool, createPool(database.url, { role: 'eeg_service' })];
  const queues = pools.map((pool) => createChargeQueue(pool));
  const charged = await Promise.all(
    Array.from({ length: 160 }, (_, n) => queues[n % 2]!.charge(payer(), prediction({ windows: 1 + (n % 3) }))),
  );
  await pools[1]!.end();
  const { rows } = await database.pool.query<{ windows: number; transactions: number }>(
    `SELECT sum(windows)::int AS windows, count(*)::int AS transactions FROM ledger_transactions
     WHERE account_id = $1 AND kind = 'task_models.predict'`,
    [accountId],
  );
  const paid = charged.filter(({ outcome }) => outcome === 'charged').length;
  expect(rows).toEqual([{ windows: 50, transactions: paid }]);
  expect(await available()).toBe(7n);
  expect(new Set(charged.map(({ outcome }) => outcome))).toEqual(new Set(['charged', 'refused']));
  await sound();
});

it('waiting accounts share a statement independently, and an account with a locked wallet delays no other', async () => {
  let statements = 0;
  const pool = Object.assign(Object.create(database.pool) as typeof database.pool, {
    connect: () => {
      statements += 1;
      return database.pool.connect();
    },
  });
  const others = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const other = await newAccount(database.pool, at);
      return { accountId: other, modelId: await createModel(database.pool, other, at) };
    }),
  );
  const [poor, held, ...rich] = others;
  await transaction(database.pool, (sql) =>
    credit(sql, { accountId: poor!.accountId, amount: -3_000_000n, source: 'operator', at }),
  );
  const queue = createChargeQueue(pool);
  const pay = async ({ accountId: payerId, modelId: id }: (typeof others)[number]) =>
    (await queue.charge({ ...payer(), accountId: payerId }, prediction({ modelId: id }))).outcome;
  let done = false;
  const { waits, outcomes } = await transaction(database.pool, async (sql) => {
    await sql.query('SELECT FROM wallets WHERE account_id = $1 FOR NO KEY UPDATE', [held!.accountId]);
    const waiting = [pay(held!), pay(held!)];
    void Promise.all(waiting).then(() => (done = true));
    const all = await Promise.all([poor!, ...rich, ...rich, poor!].map(pay));
    expect(done).toBe(false);
    return { waits: waiting, outcomes: all };
  });
  expect(outcomes).toEqual(['refused', ...Array<string>(20).fill('charged'), 'refused']);
  expect(await Promise.all(waits)).toEqual(['charged', 'charged']);
  expect(statements).toBeLessThanOrEqual(8);
  for (const { accountId: id } of rich)
    expect((await balance(database.pool, id)).available).toBe(3_000_000n - 2n * prices.window);
  const wrong = await Promise.allSettled([
    pay(rich[0]!),
    ...rich
      .slice(1)
      .map((each, n) =>
        queue.charge(
          { ...payer(), accountId: each.accountId },
          prediction({ modelId: each.modelId, windows: n === 5 ? -1 : 1 }),
        ),
      ),
  ]);
  expect(wrong.map(({ status }) => status === 'rejected')).toEqual(wrong.map((_, n) => n === 6));
  await sound();
});

it('accounts that are charged alone free their places at once', async () => {
  const accounts = await Promise.all([0, 1, 2].map(() => newAccount(database.pool, at)));
  const models = await Promise.all(accounts.map((id) => createModel(database.pool, id, at)));
  const queue = createChargeQueue(database.pool);
  const pay = async (n: number) =>
    (await queue.charge({ ...payer(), accountId: accounts[n]! }, prediction({ modelId: models[n] }))).outcome;
  const waits = await transaction(database.pool, async (sql) => {
    await sql.query('SELECT FROM wallets WHERE account_id = ANY ($1) FOR NO KEY UPDATE', [accounts.slice(0, 2)]);
    const waiting = [pay(0)];
    await turn();
    waiting.push(pay(1));
    await turn();
    expect(await pay(2)).toBe('charged');
    return waiting;
  });
  expect(await Promise.all(waits)).toEqual(['charged', 'charged']);
  await sound();
});

it('a row that stays locked refuses only its own account', async () => {
  await database.admin.query(`DO $$ BEGIN
    EXECUTE (SELECT format('ALTER FUNCTION %s SET lock_timeout = 200', oid::regprocedure)
             FROM pg_proc WHERE proname = 'charge_predictions'); END $$`);
  const accounts = await Promise.all([0, 1, 2, 3].map(() => newAccount(database.pool, at)));
  const models = await Promise.all(accounts.map((id) => createModel(database.pool, id, at)));
  const queue = createChargeQueue(database.pool);
  const chargeEach = () =>
    accounts.map((id, n) => queue.charge({ ...payer(), accountId: id }, prediction({ modelId: models[n] })));
  await Promise.all(chargeEach());
  await transaction(database.pool, async (sql) => {
    await sql.query('SELECT FROM usage_days WHERE account_id = $1 FOR UPDATE', [accounts[3]]);
    const settled = await Promise.allSettled(chargeEach());
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
  });
  await database.admin.query(`DO $$ BEGIN
    EXECUTE (SELECT format('ALTER FUNCTION %s RESET lock_timeout', oid::regprocedure)
             FROM pg_proc WHERE proname = 'charge_predictions'); END $$`);
  await sound();
});

it('simultaneous charges share a statement, refused ones do not begin, and a fault of one affects no other', async () => {
  let statements = 0;
  const pool = Object.assign(Object.create(database.pool) as typeof database.pool, {
    connect: () => {
      statements += 1;
      return database.pool.connect();
    },
  });
  const queue = createChargeQueue(pool);
  const gone = (): never => {
    throw new Error('gone');
  };
  const waiting = Array.from({ length: 40 }, (_, n) =>
    queue.charge(payer(), prediction(), n === 7 ? gone : undefined).catch((error: Error) => error.message),
  );
  const results = await Promise.all(waiting);
  expect(results[7]).toBe('gone');
  expect(results.filter((result) => typeof result === 'object' && result.outcome === 'charged')).toHaveLength(39);
  expect(statements).toBe(1);
  const faulty = [prediction(), prediction(), prediction({ windows: -1 }), prediction()];
  const settled = await Promise.allSettled(faulty.map((each) => queue.charge(payer(), each)));
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  await sound();
});

it.each([new Error('Connection terminated unexpectedly'), Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })])(
  'a lost acknowledgement is told to each that went together, and who asks again under its key is not charged twice: %s',
  async (lost) => {
    const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>();
    let statements = 0;
    const pool = Object.assign(Object.create(database.pool) as typeof database.pool, {
      connect: async () => {
        const client = await database.pool.connect();
        statements += 1;
        const second = statements === 2;
        if (!second) await goesOn;
        const query = async (...args: Parameters<typeof client.query>): Promise<unknown> => {
          const result = await (client.query as (...each: unknown[]) => Promise<unknown>)(...args);
          if (second) throw lost;
          return result;
        };
        return { query, release: (error?: Error) => client.release(error) };
      },
    });
    const queue = createChargeQueue(pool);
    const all = [await keyed('"1"'), await keyed('"2"'), await keyed('"3"'), await keyed('"4"')];
    const before = await available();
    const charging = [queue.charge(payer(), all[0]!)];
    await turn();
    const settling = Promise.allSettled([...charging, ...all.slice(1).map((each) => queue.charge(payer(), each))]);
    goOn();
    const [first, ...others] = await settling;
    expect(first).toMatchObject({ status: 'fulfilled', value: { outcome: 'charged' } });
    for (const each of others) expect(each).toMatchObject({ status: 'rejected', reason: { name: 'CommitUnknown' } });
    expect(before - (await available())).toBe(4n * prices.window);
    expect(await outcomesOf(all)).toEqual(['lost', 'lost', 'lost', 'lost']);
    for (const { answer } of all)
      expect(await storedAnswer(database.pool, { accountId, mode: 'live', ...answer! })).toMatchObject({ status: 200 });
    expect(before - (await available())).toBe(4n * prices.window);
    await sound();
  },
);
