import type { PoolClient } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { charge } from '../../infra/records/ledger/charges.ts';
import { checkLedger } from '../../infra/records/ledger/check.ts';
import { credit } from '../../infra/records/ledger/credit.ts';
import { release, reserve } from '../../infra/records/ledger/holds.ts';
import { sealLedger } from '../../infra/records/ledger/seal.ts';
import { addBatch } from '../../infra/records/task-models/batches.ts';
import { insertCollecting } from '../../infra/records/task-models/models.ts';
import { markDeleted } from '../../infra/records/task-models/transitions.ts';
import { settleDue } from '../../infra/records/task-models/lifecycle.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { forgeries } from '../support/forgeries.ts';
import { createModel, newAccount, newModel, signal } from '../support/money.ts';
import { poolInside, problemsAfter } from '../support/planted.ts';

const at = new Date('2026-05-14T12:00:00Z');
const later = (days: number): Date => new Date(at.getTime() + days * 86_400_000);
let database: TestDatabase;
let accountId: string;
let model: string;

beforeAll(async () => {
  database = await createTestDatabase();
  const { pool } = database;
  accountId = await newAccount(pool, at);
  await transaction(pool, async (sql) => await credit(sql, { accountId, amount: 20_000_000n, source: 'operator', at }));
  model = await createModel(pool, accountId, at);
  await createModel(pool, accountId, at, 'test');
  const deleted = await createModel(pool, accountId, at);
  const collecting = newModel(accountId, at);
  await transaction(pool, async (sql) => {
    await settleDue(sql, model, later(65));
    await markDeleted(sql, accountId, deleted, later(10));
    await charge(sql, {
      accountId,
      mode: 'live',
      modelId: model,
      kind: 'task_models.predict',
      windows: 4,
      at,
    });
    await charge(sql, {
      accountId,
      mode: 'test',
      modelId: model,
      kind: 'task_models.predict',
      windows: 4,
      at,
    });
    await insertCollecting(sql, collecting);
    await addBatch(sql, {
      pins: [],
      modelId: collecting.id,
      featuresRef: `features/${collecting.id}/x`,
      trials: 10,
      windows: 10,
      classCounts: { left: 5, right: 5 },
      signal,
      bytes: 1_000,
      at,
    });
    await charge(sql, {
      accountId,
      mode: 'live',
      modelId: collecting.id,
      kind: 'task_models.predict',
      windows: 10,
      at,
    });
    await release(sql, await reserve(sql, { accountId, mode: 'live', modelId: collecting.id, at }), at);
    await reserve(sql, { accountId, mode: 'live', modelId: collecting.id, at });
  });
});
afterAll(async () => await database.drop());

test('sound books pass', async () => {
  const seal = async (sql: PoolClient): Promise<unknown> => await sealLedger(poolInside(sql));
  expect(await problemsAfter(database.admin, seal, { at: later(66) })).toEqual([]);
});

const free = `(SELECT id FROM ledger_transactions WHERE kind = 'credit.free')`;
const month = (n: number) => `kind = 'task_models.hosting' AND period = ${n} AND model_id = '${model}'`;
const plants: readonly [invariant: RegExp, row: RegExp, damage: () => string, when?: Date][] = [
  [
    /sum to zero/,
    /^ledger_transactions \d+$/,
    () => `UPDATE ledger_entries SET amount = amount + 7 WHERE ledger_account = 'source.free'`,
  ],
  [/sum to zero/, /^ledger_transactions \d+$/, () => `DELETE FROM ledger_entries WHERE transaction_id = ${free}`],
  [
    /entries belong to a transaction/,
    /^ledger_entries \d+\/(wallet|source\.free)$/,
    () => `DELETE FROM ledger_transactions WHERE id = ${free}`,
  ],
  [
    /own ledger accounts/,
    /^ledger_entries \d+\/source\.operator$/,
    () => `UPDATE ledger_entries SET ledger_account = 'source.operator' WHERE transaction_id = ${free} AND amount < 0`,
  ],
  [
    /own unit price times its units/,
    /^ledger_transactions \d+$/,
    () => `UPDATE ledger_transactions SET windows = windows + 1 WHERE windows = 4`,
  ],
  ...['task_models.create_fee', 'task_models.hosting', 'task_models.predict'].map((kind): (typeof plants)[number] => [
    /own unit price times its units/,
    /^ledger_transactions \d+$/,
    () => `UPDATE ledger_transactions SET unit_price = unit_price + 1 WHERE kind = '${kind}'`,
  ]),
  [
    /own unit price times its units/,
    /^ledger_transactions \d+$/,
    () =>
      `ALTER TABLE ledger_transactions DROP CONSTRAINT ledger_charges_have_a_unit_price, DROP CONSTRAINT ledger_transactions_sound;
       UPDATE ledger_transactions SET unit_price = NULL WHERE kind = 'task_models.predict'`,
  ],
  [
    /prices it was reserved at/,
    /^holds/,
    () => `UPDATE holds SET create_fee = create_fee + 1, hosting_month = hosting_month - 1 WHERE state = 'captured'`,
  ],
  [
    /free credit once/,
    /^accounts/,
    () => `UPDATE ledger_transactions SET unit_price = unit_price + 1 WHERE kind = 'credit.free'`,
  ],
  [/wallet holds the sum/, /^wallets/, () => 'UPDATE wallets SET balance = balance - 1'],
  [
    /below zero/,
    /^wallets/,
    () => 'ALTER TABLE wallets DROP CONSTRAINT wallets_balance_not_negative; UPDATE wallets SET balance = -1',
  ],
  [/free credit once/, /^accounts/, () => `INSERT INTO accounts (email) VALUES ('x@example.org')`],
  [
    /sum of the open holds/,
    /^wallets/,
    () => `UPDATE holds SET state = 'released', resolved_at = now() WHERE state = 'open'`,
  ],
  [/never both/, /^holds/, () => `UPDATE holds SET state = 'captured' WHERE state = 'released'`],
  [/never both/, /^holds/, () => `DELETE FROM ledger_transactions WHERE kind = 'hold.release'`],
  [
    /counters of a day/,
    /^spending_days/,
    () => `UPDATE spending_days SET micro_usd = micro_usd + 1 WHERE mode = 'live' AND kind = 'task_models.hosting'`,
  ],
  [
    /counters of a day/,
    /^spending_days/,
    () => `DELETE FROM spending_days WHERE mode = 'live' AND kind = 'task_models.predict'`,
  ],
  [
    /create fee once/,
    /^task_models clf_/,
    () => `DELETE FROM ledger_transactions WHERE kind = 'task_models.create_fee' AND model_id = '${model}'`,
  ],
  [
    /create fee once/,
    /^task_models clf_/,
    () => `INSERT INTO ledger_transactions (account_id, kind, model_id, hold_id, period, unit_price, at)
       SELECT account_id, kind, model_id, hold_id, period, unit_price, at FROM ledger_transactions WHERE kind = 'task_models.create_fee'`,
  ],
  [/without gap or overlap/, /^ledger_transactions \d+$/, () => `DELETE FROM ledger_transactions WHERE ${month(2)}`],
  [
    /without gap or overlap/,
    /^ledger_transactions \d+$/,
    () =>
      `UPDATE ledger_transactions SET starts_at = starts_at - interval '1 day', ends_at = ends_at - interval '1 day' WHERE ${month(3)}`,
  ],
  [
    /without gap or overlap/,
    /^(ledger_transactions|hosting_waivers) /,
    () =>
      `INSERT INTO hosting_waivers SELECT model_id, period, starts_at, ends_at, 'both', at FROM ledger_transactions WHERE ${month(2)}`,
  ],
  [
    /charged or waived before it begins/,
    /^hosting_waivers clf_/,
    () =>
      `INSERT INTO hosting_waivers SELECT model_id, 4, ends_at, ends_at + interval '720 hours', 'early', at FROM ledger_transactions WHERE ${month(3)}`,
  ],
  [
    /given back at the price/,
    /^ledger_transactions \d+$/,
    () =>
      `INSERT INTO ledger_transactions (account_id, kind, model_id, period, unit_price, at)
         SELECT account_id, 'task_models.hosting_refund', model_id, 2, 999999, at FROM ledger_transactions WHERE ${month(2)}`,
  ],
  [
    /paid through/,
    /^task_models clf_/,
    () =>
      `INSERT INTO hosting_waivers SELECT model_id, 4, ends_at, ends_at + interval '720 hours', 'early', at FROM ledger_transactions WHERE ${month(3)}`,
  ],
  [
    /paid through/,
    /^task_models clf_/,
    () => `UPDATE task_models SET paid_through = paid_through + interval '30 days' WHERE id = '${model}'`,
  ],
  [
    /after expiry or deletion/,
    /^ledger_transactions \d+$/,
    () =>
      `UPDATE task_models SET status = 'deleted', deleted_at = fitted_at + interval '30 days' WHERE id = '${model}'`,
  ],
  [
    /after expiry or deletion/,
    /^ledger_transactions \d+$/,
    () => `UPDATE ledger_transactions SET at = starts_at - interval '1 second' WHERE ${month(2)}`,
  ],
  [
    /live model of the same account/,
    /^ledger_transactions \d+$/,
    () => `UPDATE task_models SET mode = 'test', paid_through = NULL WHERE id = '${model}'`,
  ],
  [
    /names a hold if its kind/,
    /^ledger_transactions \d+$/,
    () =>
      `UPDATE ledger_transactions SET hold_id = NULL WHERE kind = 'task_models.create_fee' AND model_id = '${model}'`,
  ],
  [/batches of a deferred fit/, /^task_models clf_/, () => 'UPDATE task_model_batches SET windows = windows + 1'],
  [
    /test keys are never charged/,
    /^spending_days/,
    () =>
      `ALTER TABLE spending_days DROP CONSTRAINT spending_days_check; UPDATE spending_days SET micro_usd = 3000 WHERE mode = 'test'`,
  ],
  [
    /bytes of a collecting model/,
    /^task_models clf_/,
    () => `UPDATE task_models SET batch_bytes = 0 WHERE status = 'collecting'`,
  ],
  [
    /stored answers of a day/,
    /^stored_answer_days/,
    () => `INSERT INTO stored_answer_days SELECT id, '2026-01-01', 1, 2 FROM accounts LIMIT 1`,
  ],
  [/every hosted model has paid/, /^task_models clf_/, () => 'SELECT 1', later(92)],
];

test.each(plants)('a planted fault is found: %s at %s', async (invariant, row, damage, when) => {
  const problems = await problemsAfter(database.admin, async (sql) => await sql.query(damage()), { at: when });
  const found = problems.filter((problem) => invariant.test(problem.invariant));
  expect(found.length).toBeGreaterThan(0);
  expect(found[0]!.row).toMatch(row);
});

test('every invariant has a planted fault', async () => {
  const { checked } = await checkLedger(database.pool);
  const patterns = [...plants.map(([pattern]) => pattern), ...forgeries.map(({ invariant }) => invariant)];
  // Closings: test/spec/ledger-closings.test.ts. A head that the chain does not hold: test/spec/forged-books.test.ts.
  expect(checked.filter((invariant) => !patterns.some((pattern) => pattern.test(invariant)))).toEqual([
    'closed parts of the ledger follow from their seals, and carry the sums of their transactions',
    'the noted head belongs to this chain',
  ]);
});
