import { ApiError } from '../../contract/errors.ts';
import { dayMs, limits } from '../../contract/limits.ts';
import type { KeyMode, ReferenceUse, SignalReport, TaskModelRecord } from '../../contract/task-model.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';
import { visibleAt } from './lifecycle-sql.ts';
import { columns, listColumns, toRecord, type StoredTaskModel } from './rows.ts';

export interface NewTaskModel {
  readonly id: string;
  readonly accountId: string;
  readonly mode: KeyMode;
  readonly name: string | null;
  readonly description: string;
  readonly taskKind: TaskModelRecord['taskKind'];
  readonly classes: readonly string[];
  readonly channels: readonly string[];
  readonly signal: SignalReport;
  /** Only for a model without its owner's trials. */
  readonly reference?: ReferenceUse;
  readonly expiresAt: Date | null;
  readonly at: Date;
}

async function insert(
  sql: Sql,
  model: NewTaskModel,
  status: 'fitting' | 'collecting',
  collectUntil: Date | null,
): Promise<void> {
  const { rowCount } = await sql.query(
    `INSERT INTO task_models (id, account_id, mode, name, description, status, task_kind, classes, channels, signal,
      created_at, expires_at, collect_until, reference)
     SELECT $1, a.id, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14
     FROM (SELECT id FROM accounts WHERE id = $2 AND closed_at IS NULL FOR SHARE) AS a`,
    [
      model.id,
      model.accountId,
      model.mode,
      model.name,
      model.description,
      status,
      model.taskKind,
      model.classes,
      model.channels,
      JSON.stringify(model.signal),
      model.at,
      model.expiresAt,
      collectUntil,
      model.reference ? JSON.stringify(model.reference) : null,
    ],
  );
  if (rowCount === 0) throw new ApiError('KEY_REVOKED', 'The account was closed meanwhile; nothing was charged.');
}

/** Creates a model that collects batches until its fit, for seven days. */
export async function insertCollecting(sql: Sql, model: NewTaskModel): Promise<void> {
  await insert(sql, model, 'collecting', new Date(model.at.getTime() + limits.collectingDays * dayMs));
}

/** Creates the row of an immediate create in progress, which no reader sees before `activate`. */
export async function insertFitting(sql: Sql, model: NewTaskModel): Promise<void> {
  await insert(sql, model, 'fitting', null);
}

/**
 * The model as readers see it, with any status; null for an unknown id, another account's model, or a create in
 * progress.
 */
export async function findModel(sql: Sql, accountId: string, id: string): Promise<TaskModelRecord | null> {
  const { rows } = await sql.query<StoredTaskModel>(
    `SELECT ${columns} FROM task_models m WHERE m.id = $1 AND m.account_id = $2`,
    [id, accountId],
  );
  return rows[0] ? toRecord(rows[0]) : null;
}

/** The stored row, for the service's own work; with `lock`, other changes wait until this transaction ends. */
export async function readStored(sql: Sql, id: string, lock = false): Promise<StoredTaskModel | null> {
  if (lock) await sql.query('SELECT FROM task_models WHERE id = $1 FOR NO KEY UPDATE', [id]);
  const { rows } = await sql.query<StoredTaskModel>(`SELECT ${columns} FROM task_models m WHERE m.id = $1`, [id]);
  return rows[0] ?? null;
}

export interface Page {
  readonly models: readonly TaskModelRecord[];
  /** Pass it as `before` for the next page; null at the end. */
  readonly nextBefore: string | null;
}

/**
 * Collecting and active models at `at`, newest first, of one key mode or of both; their reports contain only the
 * scores. `before` is the last id of the former page.
 */
export async function listModels(
  sql: Sql,
  accountId: string,
  o: { limit: number; before: string | null; at: Date; mode?: KeyMode },
): Promise<Page> {
  if (o.before !== null) await requireCursor(sql, accountId, o.before);
  const { rows } = await sql.query<StoredTaskModel>(
    `SELECT ${listColumns} FROM task_models m
     WHERE m.account_id = $1 AND ($5::text IS NULL OR m.mode = $5) AND ${visibleAt('$2::timestamptz')}
       AND ($3::text IS NULL OR (m.created_at, m.id) < (SELECT c.created_at, c.id FROM task_models c WHERE c.id = $3))
     ORDER BY m.created_at DESC, m.id DESC LIMIT $4`,
    [accountId, o.at, o.before, o.limit + 1, o.mode ?? null],
  );
  const page = rows.slice(0, o.limit);
  return {
    models: page.map((row) => toRecord(row)!),
    nextBefore: rows.length > o.limit ? page.at(-1)!.id : null,
  };
}

async function requireCursor(sql: Sql, accountId: string, before: string): Promise<void> {
  const { rowCount } = await sql.query(
    `SELECT FROM task_models WHERE id = $1 AND account_id = $2 AND status <> 'fitting'`,
    [before, accountId],
  );
  if (rowCount === 1) return;
  const message = '`before` is not the `next_before` of a previous page.';
  throw new ApiError('INVALID_REQUEST', message, {
    field: 'before',
  });
}

/**
 * Changes the name, or sets or clears the expiry; absent: unchanged. Call it in the transaction that has checked the
 * model's state.
 */
export async function patchModel(
  sql: Sql,
  accountId: string,
  id: string,
  changes: { readonly name?: string | null; readonly expiresAt?: Date | null },
): Promise<TaskModelRecord | null> {
  await sql.query(
    `UPDATE task_models SET name = CASE WHEN $3 THEN $4 ELSE name END,
      expires_at = CASE WHEN $5 THEN $6::timestamptz ELSE expires_at END
     WHERE id = $1 AND account_id = $2 AND status IN ('collecting', 'active')`,
    [
      id,
      accountId,
      changes.name !== undefined,
      changes.name ?? null,
      changes.expiresAt !== undefined,
      changes.expiresAt ?? null,
    ],
  );
  return await findModel(sql, accountId, id);
}
