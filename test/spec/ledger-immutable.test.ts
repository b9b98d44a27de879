import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkLedger } from '../../infra/records/ledger/check.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createModel, newAccount } from '../support/money.ts';

let database: TestDatabase;
let accountId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  accountId = await newAccount(database.pool);
  await createModel(database.pool, accountId, new Date('2026-05-14T12:00:00Z'));
});
afterAll(async () => await database.drop());

const changes = [
  'UPDATE ledger_entries SET amount = amount + 1',
  'DELETE FROM ledger_entries',
  'TRUNCATE ledger_entries',
  `UPDATE ledger_transactions SET note = 'x'`,
  'DELETE FROM ledger_transactions',
  'TRUNCATE ledger_transactions CASCADE',
  'TRUNCATE holds CASCADE',
  'DELETE FROM wallets',
  'UPDATE hosting_waivers SET period = 2',
  'DELETE FROM hosting_waivers',
];

test.each(changes)('a trigger stops the superuser: %s', async (change) => {
  await expect(database.admin.query(change)).rejects.toThrow(/append-only/);
});

test.each([
  ...changes,
  'UPDATE wallets SET balance = balance + 1000000',
  'ALTER TABLE ledger_entries DISABLE TRIGGER ALL',
  'INSERT INTO wallets VALUES (gen_random_uuid(), 5)',
])('the service is stopped by the rights of its role: %s', async (change) => {
  await expect(database.pool.query(change)).rejects.toThrow(/permission denied|must be owner/);
});

test('a transaction whose entries do not sum to zero is refused at its commit', async () => {
  const unbalanced = `WITH t AS (INSERT INTO ledger_transactions (account_id, kind, at) VALUES ($1, 'credit.operator', now()) RETURNING id)
    INSERT INTO ledger_entries SELECT id, $1, 'wallet', 5 FROM t`;
  await expect(database.pool.query(unbalanced, [accountId])).rejects.toThrow(/1 entries that sum to 5 instead of 0/);
  const empty = `INSERT INTO ledger_transactions (account_id, kind, at) VALUES ($1, 'credit.operator', now())`;
  await expect(database.pool.query(empty, [accountId])).rejects.toThrow(/0 entries/);
});

test('no entry can be added to a complete transaction', async () => {
  await expect(
    database.pool.query(
      `INSERT INTO ledger_entries SELECT id, account_id, 'held', 1 FROM ledger_transactions WHERE kind = 'credit.free' AND account_id = $1`,
      [accountId],
    ),
  ).rejects.toThrow(/3 entries that sum to 1/);
});

const hour = `'2026-05-14T12:00:00Z'::timestamptz`;
const month = `${hour}, ${hour} + interval '720 hours'`;

test.each([
  ['of no known kind', `('credit.gift', NULL, NULL, NULL, NULL, NULL, NULL)`],
  ['a credit with a model', `('credit.operator', 'm', NULL, NULL, NULL, NULL, NULL)`],
  ['a hold without its id', `('hold.reserve', 'm', NULL, NULL, NULL, NULL, NULL)`],
  ['windows of no model', `('task_models.predict', NULL, NULL, NULL, NULL, 1, 1)`],
  ['a prediction without windows', `('task_models.predict', 'm', NULL, NULL, NULL, NULL, 1)`],
  ['a prediction of no window', `('task_models.predict', 'm', NULL, NULL, NULL, 0, 1)`],
  ['a prediction at no price', `('task_models.predict', 'm', NULL, NULL, NULL, 1, 0)`],
  ['a prediction in a month of hosting', `('task_models.predict', 'm', 1, ${month}, 1, 1)`],
  ['a create fee of a month', `('task_models.create_fee', 'm', 1, NULL, NULL, NULL, 1)`],
  ['hosting before the first month', `('task_models.hosting', 'm', 0, ${month}, NULL, 1)`],
  ['hosting of another length', `('task_models.hosting', 'm', 1, ${hour}, ${hour}, NULL, 1)`],
  ['hosting with windows', `('task_models.hosting', 'm', 1, ${month}, 1, 1)`],
  ['the first month given back', `('task_models.hosting_refund', 'm', 1, ${month}, NULL, 1)`],
])('no transaction is %s', async (_name, values) => {
  const statement = `INSERT INTO ledger_transactions
      (kind, model_id, period, starts_at, ends_at, windows, unit_price, account_id, at)
    VALUES ${values.replace(/\)$/, ', $1, now())')}`;
  await expect(database.admin.query(statement, [accountId])).rejects.toThrow(/ledger_transactions_sound/);
});

test('an entry belongs to a transaction of its own account', async () => {
  const other = await newAccount(database.pool);
  const entries = `INSERT INTO ledger_entries SELECT t.id, $1, e.account, e.amount
    FROM (VALUES ('source.operator', -5), ('wallet', 5)) AS e (account, amount), `;
  const added = `(INSERT INTO ledger_transactions (account_id, kind, at) VALUES ($2, 'credit.operator', now())
    RETURNING id)`;
  await expect(database.pool.query(`WITH t AS ${added} ${entries} t`, [other, accountId])).rejects.toThrow(
    /it is none of the account of its entries/,
  );
  await expect(database.pool.query(`${entries} (VALUES (1000000)) AS t (id)`, [other])).rejects.toThrow(
    /transaction 1000000: it is none of the account/,
  );
  await database.pool.query(`WITH t AS ${added} ${entries} t`, [accountId, accountId]);
});

test('after all of these attempts the books are sound', async () => {
  expect((await checkLedger(database.pool)).problems).toEqual([]);
});
