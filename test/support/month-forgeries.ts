import type { Forgery } from './forgery.ts';

const sealed = /as they were sealed/;
const schema = /those of this version/;
const once = /each key its transaction/;

/** A copy of a hosting month as `kind`, without its number. */
const unnumbered = (kind: string): string =>
  `ALTER TABLE ledger_transactions DROP CONSTRAINT ledger_transactions_sound;
   INSERT INTO ledger_transactions (account_id, kind, model_id, starts_at, ends_at, unit_price, at)
     SELECT account_id, '${kind}', model_id, starts_at, ends_at, unit_price, at FROM ledger_transactions
     WHERE kind = 'task_models.hosting' AND period = 2 LIMIT 1`;

/** Changes of partitions of the ledger, and of what may exist once in all of them. */
export const monthForgeries: readonly Forgery[] = [
  {
    name: 'a transaction is changed in the partition of a past month',
    sql: ({ prediction }) => `UPDATE ledger_transactions_202605 SET windows = 41 WHERE id = ${prediction}`,
    row: ({ prediction }) => `ledger_transactions ${prediction}`,
    invariant: sealed,
  },
  {
    name: 'a past month is detached',
    sql: () => 'ALTER TABLE ledger_entries DETACH PARTITION ledger_entries_202605',
    row: () => 'inheritance ledger_entries.ledger_entries_202605',
    invariant: schema,
  },
  {
    name: 'a past month is dropped',
    sql: () => 'DROP TABLE ledger_transactions_202605, ledger_entries_202605',
    row: () => 'table ledger_transactions_202605',
    invariant: schema,
  },
  {
    name: 'the bounds of a month are changed',
    sql: () => `ALTER TABLE ledger_entries DETACH PARTITION ledger_entries_202608;
      ALTER TABLE ledger_entries ATTACH PARTITION ledger_entries_202608 FOR VALUES FROM (2026080000000001) TO (2026090000000000)`,
    row: () => 'inheritance ledger_entries.ledger_entries_202608',
    invariant: schema,
  },
  {
    name: 'a month is removed from the list of months',
    sql: () => `DELETE FROM ledger_months WHERE month = '2026-05-01'`,
    row: () => 'inheritance ledger_entries.ledger_entries_202605',
    invariant: schema,
  },
  {
    name: 'a trigger of a past month is disabled',
    sql: () => 'ALTER TABLE ledger_entries_202605 DISABLE TRIGGER ledger_partition_closed',
    row: () => 'trigger ledger_entries_202605.ledger_partition_closed',
    invariant: schema,
  },
  {
    name: 'a right on a past month is granted to the service',
    sql: () => 'GRANT UPDATE ON ledger_transactions_202605 TO eeg_service',
    row: () => 'right on ledger_transactions_202605 to eeg_service',
    invariant: schema,
  },
  {
    name: 'a key that may exist once is deleted',
    sql: ({ account }) => `DELETE FROM ledger_once WHERE key = 'free credit of ${account}'`,
    row: () => 'ledger_transactions ',
    invariant: once,
  },
  {
    name: 'a key that may exist once names another transaction',
    sql: ({ account, prediction }) =>
      `UPDATE ledger_once SET transaction_id = ${prediction} WHERE key = 'free credit of ${account}'`,
    row: ({ account }) => `ledger_once free credit of ${account}`,
    invariant: once,
  },
  {
    name: 'a month of hosting is charged again in a later month',
    sql: () => `INSERT INTO ledger_transactions (account_id, kind, model_id, period, starts_at, ends_at, unit_price, at)
      SELECT account_id, kind, model_id, period, starts_at, ends_at, unit_price, at FROM ledger_transactions
      WHERE kind = 'task_models.hosting' AND period = 2 LIMIT 1`,
    row: () => 'ledger_transactions 202606',
    invariant: once,
  },
  ...['task_models.hosting', 'task_models.hosting_refund'].map((kind) => ({
    name: `a transaction of ${kind} has no number of its month`,
    sql: () => unnumbered(kind),
    row: () => 'ledger_transactions 202606',
    invariant: /what its kind needs/,
  })),
  {
    name: 'a function with the rights of the owner is granted to everybody',
    sql: () => 'GRANT EXECUTE ON FUNCTION ledger_cache_sums() TO PUBLIC',
    row: () => 'right of function ledger_cache_sums() as its owner to public',
    invariant: schema,
  },
  {
    name: 'another role owns a partition',
    sql: () => 'ALTER TABLE ledger_entries_202605 OWNER TO pg_monitor',
    row: () => 'table ledger_entries_202605',
    invariant: schema,
  },
  {
    name: 'another role owns a function',
    sql: () => 'ALTER FUNCTION ledger_refuse_change() OWNER TO pg_monitor',
    row: () => 'function ledger_refuse_change()',
    invariant: schema,
  },
  {
    name: 'the sequence of ids goes by five',
    sql: () => 'ALTER SEQUENCE ledger_transactions_id_seq INCREMENT 5',
    row: () => 'sequence ledger_transactions_id_seq',
    invariant: schema,
  },
];
