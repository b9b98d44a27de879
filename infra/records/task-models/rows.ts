import type { TaskModelRecord, TaskModelStatus } from '../../contract/task-model.ts';

/** A task model as stored, with what only the lifecycle and the API's own checks need. */
export interface StoredTaskModel extends Omit<TaskModelRecord, 'status'> {
  /** `fitting`: an immediate create whose job runs; never shown. */
  readonly status: TaskModelStatus | 'fitting';
  /** When an unpaid hosting month is tried again. */
  readonly retryAt: Date | null;
  /** What the object store still holds and must not. */
  readonly cleanup: 'none' | 'features' | 'all';
  /** A job was asked for and has not ended: it may end after `collect_until`. */
  readonly fitPending: boolean;
}

const fitPending = 'EXISTS (SELECT FROM fit_requests f WHERE f.model_id = m.id AND f.finished_at IS NULL)';

/** Columns of a StoredTaskModel; the table's alias is `m`. */
export const columns = `
  m.id, m.account_id AS "accountId", m.mode, m.name, m.description, m.status, m.task_kind AS "taskKind", m.classes, m.channels, m.signal,
  m.method, m.training_report AS "trainingReport", m.model_ref AS "modelRef", m.created_at AS "createdAt", m.fitted_at AS "fittedAt",
  m.expires_at AS "expiresAt", m.collect_until AS "collectUntil", m.paid_through AS "paidThrough",
  coalesce(m.retry_at, m.next_charge_at) AS "nextChargeAt", m.unpaid_since AS "unpaidSince", m.deleted_at AS "deletedAt",
  m.retry_at AS "retryAt", m.cleanup, m.status = 'collecting' AND ${fitPending} AS "fitPending"`;

/**
 * The condition under which a reader sees the model as collecting or active at instant `$at`: `statusAt` of the contract in SQL.
 * `$testDays`, `$graceDays` are whole days.
 */
export const visibleAt = (at: string, testDays: number, graceDays: number): string => `
  m.status IN ('collecting', 'active')
  AND (m.mode <> 'test' OR m.created_at + interval '${testDays * 24} hours' > ${at})
  AND (m.status <> 'collecting' OR m.collect_until > ${at} OR ${fitPending})
  AND (m.status <> 'active' OR ((m.expires_at IS NULL OR m.expires_at > ${at})
       AND (m.unpaid_since IS NULL OR m.unpaid_since + interval '${graceDays * 24} hours' > ${at})))`;

/** What readers get: a collecting model whose fit was asked for in time stays collecting until the fit ends. */
export function toRecord(row: StoredTaskModel): TaskModelRecord | null {
  if (row.status === 'fitting') return null;
  const { retryAt: _retryAt, cleanup: _cleanup, fitPending, ...record } = row;
  return { ...record, status: row.status, collectUntil: fitPending ? null : record.collectUntil };
}
