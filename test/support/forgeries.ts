import type { Forgery } from './forgery.ts';
import { monthForgeries } from './month-forgeries.ts';
import { later, type Books } from './sealed-books.ts';

const sealed = /as they were sealed/;
const chain = /each seal follows/;
const schema = /those of this version/;
const ahead = /is dated ahead/;

const moved = (id: bigint, by: string): string => `UPDATE ledger_transactions SET at = at ${by} WHERE id = ${id};`;

/** Moves all that a prediction of 40 windows left to another number of micro-dollars. */
const repriced = ({ account, prediction }: Books, price: number): string => `
  UPDATE ledger_transactions SET unit_price = ${price} WHERE id = ${prediction};
  UPDATE ledger_entries SET amount = sign(amount) * 40 * ${price} WHERE transaction_id = ${prediction};
  UPDATE wallets SET balance = balance + 40 * (3000 - ${price}) WHERE account_id = '${account}';
  UPDATE spending_days SET micro_usd = micro_usd - 40 * (3000 - ${price})
    WHERE account_id = '${account}' AND kind = 'task_models.predict' AND day = '2026-05-14'`;

const removed = ({ account, prediction }: Books): string => `
  DELETE FROM ledger_entries WHERE transaction_id = ${prediction};
  DELETE FROM ledger_transactions WHERE id = ${prediction};
  UPDATE wallets SET balance = balance + 120000 WHERE account_id = '${account}';
  UPDATE spending_days SET micro_usd = micro_usd - 120000, windows = windows - 40
    WHERE account_id = '${account}' AND kind = 'task_models.predict' AND day = '2026-05-14';
  UPDATE usage_days SET micro_usd = micro_usd - 120000, windows = windows - 40 WHERE account_id = '${account}'`;

const inserted = ({ account, model, gap }: Books): string => `
  INSERT INTO ledger_transactions (id, account_id, kind, model_id, windows, unit_price, at) OVERRIDING SYSTEM VALUE
    VALUES (${gap}, '${account}', 'task_models.predict', '${model}', 10, 3000, '2026-05-14T12:00:00Z');
  INSERT INTO ledger_entries VALUES (${gap}, '${account}', 'wallet', -30000),
    (${gap}, '${account}', 'revenue.task_models.predict', 30000);
  UPDATE wallets SET balance = balance - 30000 WHERE account_id = '${account}';
  UPDATE spending_days SET micro_usd = micro_usd + 30000, windows = windows + 10
    WHERE account_id = '${account}' AND kind = 'task_models.predict' AND day = '2026-05-14'`;

/** Months waived up to the one that begins at day 210, and the model paid through its end. */
const waivedAhead = ({ model }: Books): string => `
  INSERT INTO hosting_waivers
    SELECT '${model}', n, s.starts_at, s.starts_at + interval '720 hours', 'forged', s.starts_at + interval '1 second'
    FROM generate_series(5, 8) AS n,
         LATERAL (SELECT '2026-05-14T12:00:00Z'::timestamptz + (n - 1) * interval '720 hours' AS starts_at) AS s;
  UPDATE task_models SET paid_through = '${later(240).toISOString()}' WHERE id = '${model}'`;

const of = (table: string, key: keyof Books) => (books: Books) => `${table} ${books[key]}`;
const transactionOf = (key: 'prediction' | 'credit' | 'gap') => of('ledger_transactions', key);
const hold = of('holds', 'hold');

export const forgeries: readonly Forgery[] = [
  // One end of a relation.
  {
    name: 'a wallet is deleted',
    sql: ({ account }) => `DELETE FROM wallets WHERE account_id = '${account}'`,
    row: of('wallets', 'account'),
    invariant: /every account has a wallet, and/,
  },
  {
    name: 'an account row is deleted',
    sql: ({ account }) => `DELETE FROM accounts WHERE id = '${account}'`,
    row: of('accounts', 'account'),
    invariant: /every account has a wallet, and/,
  },
  {
    name: 'an account and its wallet are deleted',
    sql: ({ other }) => `DELETE FROM wallets WHERE account_id = '${other}'; DELETE FROM accounts WHERE id = '${other}'`,
    row: of('wallets', 'other'),
    invariant: /wallet holds the sum/,
  },
  {
    name: 'a captured hold is deleted',
    sql: (books) => `DELETE FROM holds WHERE id = '${books.hold}'`,
    row: hold,
    invariant: /never both/,
  },
  {
    name: 'the owner of a hold is changed',
    sql: (books) => `UPDATE holds SET account_id = '${books.other}' WHERE id = '${books.hold}'`,
    row: hold,
    invariant: /same account, model and date/,
  },
  {
    name: 'the model of a hold is changed',
    sql: (books) => `UPDATE holds SET model_id = '${books.second}' WHERE id = '${books.hold}'`,
    row: hold,
    invariant: /same account, model and date/,
  },
  {
    name: 'a model is given to another account',
    sql: ({ model, other }) => `UPDATE task_models SET account_id = '${other}' WHERE id = '${model}'`,
    row: hold,
    invariant: /no hold is for a model of another/,
  },
  {
    name: 'a model is deleted',
    sql: ({ model }) => `DELETE FROM task_models WHERE id = '${model}'`,
    row: of('task_models', 'model'),
    invariant: /foreign key/,
  },
  {
    name: 'a waived month is for a test model',
    sql: ({ model }) => `UPDATE task_models SET mode = 'test', paid_through = NULL WHERE id = '${model}'`,
    row: of('hosting_waivers', 'model'),
    invariant: /waived for a live model/,
  },
  {
    name: 'a charge loses its hold',
    sql: (books) => `UPDATE ledger_transactions SET hold_id = NULL WHERE hold_id = '${books.hold}' AND period = 1`,
    row: hold,
    invariant: /never both/,
  },
  {
    name: 'a charge is moved to another model of the account',
    sql: ({ prediction, second }) => `UPDATE ledger_transactions SET model_id = '${second}' WHERE id = ${prediction}`,
    row: transactionOf('prediction'),
    invariant: sealed,
  },

  // Dates.
  {
    name: 'a waiver is dated ahead, with paid_through moved',
    sql: waivedAhead,
    row: of('hosting_waivers', 'model'),
    invariant: ahead,
  },
  {
    name: 'the date of a credit is moved',
    sql: ({ credit }) => moved(credit, `+ interval '10 days'`),
    row: transactionOf('credit'),
    invariant: sealed,
  },
  {
    name: 'the date of a credit is moved before its account',
    sql: ({ credit }) => moved(credit, `- interval '10 days'`),
    row: transactionOf('credit'),
    invariant: /before its account/,
  },
  {
    name: 'the date of a hold is moved',
    sql: (books) => `UPDATE holds SET created_at = created_at - interval '3 days' WHERE id = '${books.hold}'`,
    row: hold,
    invariant: /same account, model and date/,
  },
  {
    name: 'the end of a hold is moved',
    sql: (books) => `UPDATE holds SET resolved_at = resolved_at + interval '3 days' WHERE id = '${books.hold}'`,
    row: hold,
    invariant: /same account, model and date/,
  },
  {
    name: 'the day of a refund is moved',
    sql: () => `UPDATE ledger_transactions SET at = at - interval '1 hour' WHERE kind = 'task_models.hosting_refund'`,
    row: () => 'ledger_transactions ',
    invariant: /on the day it was charged/,
  },
  {
    name: 'a charge that is not sealed is dated ahead',
    sql: () => `UPDATE ledger_transactions SET at = now() + interval '1 day' WHERE windows = 5`,
    row: () => 'ledger_transactions ',
    invariant: ahead,
  },
  {
    name: 'paid_through is moved back by a month',
    sql: ({ model }) =>
      `UPDATE task_models SET paid_through = paid_through - interval '720 hours' WHERE id = '${model}'`,
    row: of('task_models', 'model'),
    invariant: /paid through the end/,
  },

  {
    name: 'a month of a model that is hosted is given back and waived',
    sql: ({ account, model }) => `
      WITH charged AS (SELECT * FROM ledger_transactions WHERE model_id = '${model}' AND kind = 'task_models.hosting' AND period = 3),
      refund AS (
        INSERT INTO ledger_transactions (account_id, kind, model_id, period, unit_price, at)
          SELECT account_id, 'task_models.hosting_refund', model_id, period, unit_price, at FROM charged RETURNING *),
      keys AS (
        INSERT INTO ledger_once
          SELECT key, id FROM refund, unnest(ledger_once_keys(kind, account_id, model_id, hold_id, period)) AS key),
      entries AS (
        INSERT INTO ledger_entries SELECT id, account_id, name, sign * unit_price
          FROM refund, (VALUES ('wallet', 1), ('revenue.task_models.hosting', -1)) AS e (name, sign)),
      counted AS (
        INSERT INTO spending_days AS d (account_id, mode, day, kind, windows, micro_usd)
          SELECT account_id, 'live', (at AT TIME ZONE 'UTC')::date, kind, 0, -unit_price FROM refund
          ON CONFLICT (account_id, day, mode, kind) DO UPDATE SET micro_usd = d.micro_usd + excluded.micro_usd),
      waived AS (
        INSERT INTO hosting_waivers SELECT model_id, period, starts_at, ends_at, 'forged', at FROM charged)
      UPDATE wallets SET balance = balance + (SELECT unit_price FROM refund) WHERE account_id = '${account}'`,
    row: () => 'ledger_transactions ',
    invariant: /only if its model ended/,
  },

  // Amounts.
  {
    name: `the operator's credit is multiplied by ten together with the wallet`,
    sql: ({ account, credit }) => `
      UPDATE ledger_entries SET amount = amount * 10 WHERE transaction_id = ${credit};
      UPDATE wallets SET balance = balance + 180000000 WHERE account_id = '${account}'`,
    row: transactionOf('credit'),
    invariant: sealed,
  },
  {
    name: 'the unit price of a prediction is cut, with wallet and counters',
    sql: (books) => repriced(books, 1),
    row: transactionOf('prediction'),
    invariant: sealed,
  },
  {
    name: 'the unit price of a prediction is cut, which the usage shows',
    sql: (books) => repriced(books, 1),
    row: of('usage_days', 'account'),
    invariant: /counted as paid predictions/,
  },
  {
    name: 'a transaction is deleted with all that it left',
    sql: removed,
    row: transactionOf('prediction'),
    invariant: sealed,
  },
  { name: 'a transaction is inserted in a sealed part', sql: inserted, row: transactionOf('gap'), invariant: sealed },
  {
    name: 'a transaction is inserted beyond the sequence',
    sql: (books) => inserted({ ...books, gap: 2_026_060_001_000_000n }),
    row: () => 'ledger_transactions 2026060001000000',
    invariant: /drawn from their sequence/,
  },
  {
    name: 'a transaction is inserted before the first id',
    sql: (books) => inserted({ ...books, gap: -1n }),
    row: () => 'ledger_transactions -1',
    invariant: /drawn from their sequence/,
  },
  {
    name: 'money is moved from one wallet to another',
    sql: ({ account, other }) => `
      UPDATE wallets SET balance = balance - 1000 WHERE account_id = '${account}';
      UPDATE wallets SET balance = balance + 1000 WHERE account_id = '${other}'`,
    row: of('wallets', 'other'),
    invariant: /wallet holds the sum/,
  },
  {
    name: 'a counter of a day is cut',
    sql: ({ account }) =>
      `UPDATE spending_days SET windows = windows - 1 WHERE account_id = '${account}' AND windows > 0`,
    row: of('spending_days', 'account'),
    invariant: /counters of a day/,
  },

  ...monthForgeries,

  // The chain itself.
  {
    name: 'the hash of a seal is changed',
    sql: () => `UPDATE ledger_seals SET hash = sha256('x') WHERE number = 1`,
    row: () => 'ledger_seals 1',
    invariant: chain,
  },
  {
    name: 'the content of a seal is made to fit a deleted transaction',
    sql: (books) =>
      `${removed(books)}; UPDATE ledger_seals SET transactions = transactions - 1, leaves = '' WHERE number = 1`,
    row: () => 'ledger_seals 1',
    invariant: chain,
  },
  {
    name: 'a seal is deleted',
    sql: () => 'DELETE FROM ledger_seals WHERE number = 1',
    row: () => 'ledger_seals 2',
    invariant: chain,
  },
  {
    name: 'the last seal is deleted',
    sql: () => 'DELETE FROM ledger_seals WHERE number = 2',
    row: () => 'ledger_transactions ',
    invariant: /sealed within ten minutes/,
  },
  {
    name: 'every seal is deleted',
    sql: () => 'DELETE FROM ledger_seals',
    row: () => 'ledger_transactions ',
    invariant: /sealed within ten minutes/,
  },

  // The schema.
  {
    name: 'a trigger is disabled',
    sql: () => 'ALTER TABLE ledger_entries DISABLE TRIGGER ledger_entries_cache',
    row: () => 'trigger ledger_entries.ledger_entries_cache',
    invariant: schema,
  },
  {
    name: 'the triggers of foreign keys are disabled',
    sql: () => 'ALTER TABLE hosting_waivers DISABLE TRIGGER ALL',
    row: () => 'trigger hosting_waivers of constraint hosting_waivers_model_id_fkey',
    invariant: schema,
  },
  {
    name: 'a trigger is dropped',
    sql: () => 'DROP TRIGGER ledger_transactions_append_only ON ledger_transactions',
    row: () => 'trigger ledger_transactions.ledger_transactions_append_only',
    invariant: schema,
  },
  {
    name: 'a trigger is added',
    sql: () =>
      `CREATE TRIGGER quiet BEFORE INSERT ON ledger_entries FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change()`,
    row: () => 'trigger ledger_entries.quiet',
    invariant: schema,
  },
  {
    name: 'a right is granted to the service',
    sql: () => 'GRANT UPDATE ON ledger_entries TO eeg_service',
    row: () => 'right on ledger_entries to eeg_service',
    invariant: schema,
  },
  {
    name: 'a right is granted to everybody',
    sql: () => 'GRANT UPDATE (balance) ON wallets TO public',
    row: () => 'right on wallets.balance to public',
    invariant: schema,
  },
  {
    name: 'a unique index is dropped',
    sql: () => 'ALTER TABLE ledger_once DROP CONSTRAINT ledger_once_pkey',
    row: () => 'index ledger_once.ledger_once_pkey',
    invariant: schema,
  },
  {
    name: 'a CHECK is dropped',
    sql: () => 'ALTER TABLE wallets DROP CONSTRAINT wallets_balance_not_negative',
    row: () => 'constraint wallets.wallets_balance_not_negative',
    invariant: schema,
  },
  {
    name: 'a foreign key is dropped',
    sql: () => 'ALTER TABLE ledger_transactions DROP CONSTRAINT ledger_transactions_account_id_fkey',
    row: () => 'constraint ledger_transactions.ledger_transactions_account_id_fkey',
    invariant: schema,
  },
  {
    name: 'a NOT NULL is dropped',
    sql: () => 'ALTER TABLE ledger_transactions ALTER at DROP NOT NULL',
    row: () => 'column ledger_transactions.at',
    invariant: schema,
  },
  {
    name: 'the body of a function is replaced',
    sql: () =>
      `CREATE OR REPLACE FUNCTION ledger_refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`,
    row: () => 'function ledger_refuse_change()',
    invariant: schema,
  },
  {
    name: 'a rule swallows inserts',
    sql: () => 'CREATE RULE swallow AS ON INSERT TO hosting_waivers DO INSTEAD NOTHING',
    row: () => 'rule hosting_waivers.swallow',
    invariant: schema,
  },
  {
    name: 'the service bypasses triggers',
    sql: () =>
      `DO $$ BEGIN EXECUTE format('ALTER ROLE eeg_service IN DATABASE %I SET session_replication_role = replica', current_database()); END $$`,
    row: () => 'setting of role eeg_service',
    invariant: schema,
  },
  {
    name: 'the service may write every table',
    sql: () => 'GRANT pg_write_all_data TO eeg_service',
    row: () => 'right of eeg_service to write every table',
    invariant: schema,
  },
  {
    name: 'a function lets the service work as the owner',
    sql: () =>
      `CREATE FUNCTION quiet() RETURNS void LANGUAGE sql SECURITY DEFINER AS 'UPDATE wallets SET balance = balance + 1'`,
    row: () => 'right of function quiet() as its owner to public',
    invariant: schema,
  },
  {
    name: 'a table adds waivers past their triggers',
    sql: () => 'CREATE TABLE quiet () INHERITS (hosting_waivers)',
    row: () => 'inheritance hosting_waivers.quiet',
    invariant: schema,
  },
  {
    name: 'another table stands before that of the service',
    sql: () => 'CREATE SCHEMA eeg_service; CREATE TABLE eeg_service.wallets (balance bigint)',
    row: () => 'setting of eeg_service.wallets before public',
    invariant: schema,
  },
  {
    name: 'the service looks for tables elsewhere first',
    sql: () =>
      `DO $$ BEGIN EXECUTE format('ALTER ROLE eeg_service IN DATABASE %I SET search_path = quiet, public', current_database()); END $$`,
    row: () => 'setting of the search path of role eeg_service',
    invariant: schema,
  },
];
