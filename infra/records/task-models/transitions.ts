import type { TaskModelRecord } from '../../contract/task-model.ts';
import { hostingMonth } from '../ledger/charges.ts';
import { refundHosting } from '../ledger/refund.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';
import { findModel, readStored } from './models.ts';
import { endShareLinks } from './share-links.ts';

export interface Activation {
  readonly id: string;
  readonly fittedAt: Date;
  readonly method: NonNullable<TaskModelRecord['method']>;
  readonly classes: readonly string[];
  readonly trainingReport: Readonly<Record<string, unknown>>;
  readonly modelRef: string;
  /** Pins: what the fitted model needs to give the same answers. */
  readonly pins: readonly string[];
}

/**
 * Activates a model after its fit, from `fittedAt`, with its first hosting month paid (the caller captures the hold in
 * the same transaction). An immediate create gets its creation date now. Null if the model was deleted meanwhile; an
 * active model stays unchanged.
 */
export async function activate(sql: Sql, o: Activation): Promise<TaskModelRecord | null> {
  const stored = await readStored(sql, o.id, true);
  if (!stored || stored.status === 'deleted' || stored.status === 'expired') return null;
  if (stored.status !== 'active') {
    const paidThrough = stored.mode === 'live' ? hostingMonth(o.fittedAt, 1).endsAt : null;
    await sql.query(
      `UPDATE task_models SET status = 'active', created_at = CASE WHEN status = 'fitting' THEN $2 ELSE created_at END,
         fitted_at = $2, method = $3, classes = $4, training_report = $5, model_ref = $6, paid_through = $7, pins = $8,
         collect_until = NULL, cleanup = 'features'
       WHERE id = $1`,
      [
        o.id,
        o.fittedAt,
        JSON.stringify(o.method),
        o.classes,
        JSON.stringify(o.trainingReport),
        o.modelRef,
        paidThrough,
        o.pins,
      ],
    );
  }
  return await findModel(sql, stored.accountId, o.id);
}

/**
 * Deletes the row of a failed immediate create; a collecting model stays unchanged. Returns whether a row was deleted.
 */
export async function dropFitting(sql: Sql, id: string): Promise<boolean> {
  const { rowCount } = await sql.query(`DELETE FROM task_models WHERE id = $1 AND status = 'fitting'`, [id]);
  return rowCount === 1;
}

/**
 * Marks a model as deleted and ends its share links; its objects are deleted afterwards. Requests for the id still get
 * its status. A charged hosting month that begins at or after `at` is refunded. Null: no such model. Idempotent.
 */
export async function markDeleted(sql: Sql, accountId: string, id: string, at: Date): Promise<TaskModelRecord | null> {
  const { rowCount } = await sql.query(
    `UPDATE task_models SET status = 'deleted', deleted_at = $3, cleanup = 'all', unpaid_since = NULL, retry_at = NULL
     WHERE id = $1 AND account_id = $2 AND status IN ('collecting', 'active', 'expired')`,
    [id, accountId, at],
  );
  if (rowCount === 1) {
    await endShareLinks(sql, id);
    await refundMonths(sql, accountId, id, at);
  }
  return await findModel(sql, accountId, id);
}

/**
 * Ends hosting and share links at `at`. A charged hosting month that begins at or after `at` is refunded. Idempotent.
 */
export async function markExpired(sql: Sql, id: string, at: Date): Promise<void> {
  const { rows } = await sql.query<{ accountId: string; endedAt: Date }>(
    `UPDATE task_models SET status = 'expired', expires_at = least(coalesce(expires_at, $2), $2), cleanup = 'all',
      unpaid_since = NULL, retry_at = NULL
     WHERE id = $1 AND status = 'active' RETURNING account_id AS "accountId", expires_at AS "endedAt"`,
    [id, at],
  );
  for (const { accountId, endedAt } of rows) {
    await endShareLinks(sql, id);
    await refundMonths(sql, accountId, id, endedAt);
  }
}

async function refundMonths(sql: Sql, accountId: string, id: string, from: Date): Promise<void> {
  const first = await refundHosting(sql, accountId, id, from);
  if (first) await sql.query('UPDATE task_models SET paid_through = $2 WHERE id = $1', [id, first]);
}

/**
 * Records that the objects of `cleanup` are deleted. If the model ended meanwhile, all its objects stay to be deleted.
 * For a deleted or expired model, which answers no requests, everything that its owner wrote is erased.
 */
export async function markCleaned(sql: Sql, id: string, what: 'features' | 'all'): Promise<void> {
  await sql.query(`UPDATE task_models SET cleanup = 'none' WHERE id = $1 AND (cleanup = $2 OR $2 = 'all')`, [id, what]);
  await sql.query('DELETE FROM task_model_batches WHERE model_id = $1', [id]);
  await sql.query('UPDATE task_models SET batch_bytes = 0 WHERE id = $1 AND batch_bytes <> 0', [id]);
  await sql.query(
    `UPDATE task_models SET name = NULL, description = '', classes = '{}', channels = '{}', training_report = NULL,
       reference = NULL, signal = signal || '{"renamed_channels": {}, "warnings": []}'
     WHERE id = $1 AND status IN ('deleted', 'expired') AND cleanup = 'none'`,
    [id],
  );
}
