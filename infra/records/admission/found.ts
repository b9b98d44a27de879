import type { KeyMode, TaskModelRecord } from '../../contract/task-model.ts';
import type { MicroUsd } from '../../contract/prices.ts';
import { columns, columnsWithoutReport, toRecord, type StoredTaskModel } from '../task-models/rows.ts';

/** The model that a request names in its path. */
export interface NamedModel {
  readonly id: string;
  /** With its training report; else that is null. */
  readonly report: boolean;
}

/** What a request asks for beyond a place, in the same statement. */
export interface AskedFor {
  /** Null: the request names no model, or nothing that could be the id of one. */
  readonly model: NamedModel | null;
  /** An Idempotency-Key that is begun before the body is known, unless somebody has or had it; null: none. */
  readonly key: string | null;
}

/** What an account may spend, at the instant the request came in: enough to let it pass, never to refuse it. */
export interface Funds {
  readonly available: MicroUsd;
  /** Whether the account has a cap on money or on windows. */
  readonly capped: boolean;
}

/** What an admitted request found. */
export interface Found {
  /** The account's model, whatever its status and mode; null: there is none, or none was named. */
  readonly model: TaskModelRecord | null;
  readonly funds: Funds;
  /** Whether the request holds the Idempotency-Key that it asked for. */
  readonly keyBegun: boolean;
}

/** Columns of an admission, whose alias is `a`. The mode of the key is renamed: the model has one, too. */
const admission = `a.outcome, a.account_id, a.mode AS key_mode, a.at, a.scopes, a.since, a.message, a.window_limit,
  a.remaining, a.reset_seconds, a.retry_after, a.burst, a.concurrency, a.daily_estimates`;

/** What the account may spend; whoever is admitted at all has a wallet. */
const funds = `
  (SELECT w.balance FROM wallets w WHERE w.account_id = a.account_id) AS available,
  (SELECT coalesce(c.daily_cap_micro_usd, c.monthly_cap_micro_usd, c.daily_windows, c.monthly_windows) IS NOT NULL
   FROM accounts c WHERE c.id = a.account_id) AS capped`;

/**
 * The statement that admits by `call`, a function with `used` arguments, and finds the rest: its arguments are then the
 * id of the model, the key to begin, the lease and its seconds. The model and the wallet are read as they were when the
 * request came in; whatever is charged looks again under lock.
 */
const finding = (call: string, used: number, modelColumns: string): string => {
  const [id, key, lease, seconds] = [1, 2, 3, 4].map((n) => `$${used + n}`);
  return `SELECT ${admission}, ${funds}, found.*,
      CASE WHEN a.outcome = 'admitted' AND ${key}::text IS NOT NULL
           THEN begin_open_key(a.account_id, a.mode, ${key}, ${lease}, ${seconds}) ELSE false END AS key_begun
    FROM ${call} AS a
    LEFT JOIN LATERAL (
      SELECT ${modelColumns} FROM task_models m WHERE m.id = ${id} AND m.account_id = a.account_id) AS found
    ON a.outcome = 'admitted'`;
};

/** The statements of one function that admits. */
export const statementsOf = (call: string, used: number): Readonly<Record<'report' | 'lean', string>> => ({
  report: finding(call, used, columns),
  lean: finding(call, used, columnsWithoutReport),
});

export interface FoundRow extends Omit<StoredTaskModel, 'id' | 'mode'> {
  readonly id: string | null;
  readonly mode: KeyMode;
  readonly available: MicroUsd | null;
  readonly capped: boolean | null;
  readonly key_begun: boolean;
}

/** Of an admitted request. */
export const foundOf = (row: FoundRow): Found => ({
  model: row.id === null ? null : toRecord(row as StoredTaskModel),
  ...foundBeside(row),
});

/** What was found but the model. */
export function foundBeside({
  available,
  capped,
  key_begun: keyBegun,
}: Pick<FoundRow, 'available' | 'capped' | 'key_begun'>): Omit<Found, 'model'> {
  if (available === null || capped === null) throw new Error('The account has no wallet.');
  return { funds: { available, capped }, keyBegun };
}
