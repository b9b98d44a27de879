import { readsEncoders, resamplerOf } from '../../../ml/pins/index.ts';
import type { TaskModelRecord, TaskModelStatus } from '../../contract/task-model.ts';
import { fitPending, nextChargeAt } from './lifecycle-sql.ts';
import { needsOf } from './pinned.ts';

/** A stored task model, with the fields for the lifecycle and the API's own checks. */
export interface StoredTaskModel extends Omit<TaskModelRecord, 'status' | 'resampler' | 'needs' | 'readsEncoders'> {
  /** `fitting`: an immediate create whose job runs; never shown. */
  readonly status: TaskModelStatus | 'fitting';
  /** Date on which an unpaid hosting month is tried again. */
  readonly retryAt: Date | null;
  /** Objects in the store that must be removed. */
  readonly cleanup: 'none' | 'features' | 'all';
  /** Requirements of the fitted model, or of the batches of a collecting one. */
  readonly pins: readonly string[];
}

/** Report fields in lists: its scores. */
const reportScores = `CASE WHEN m.training_report IS NOT NULL THEN jsonb_build_object(
    'balanced_accuracy', m.training_report -> 'balanced_accuracy', 'chance', m.training_report -> 'chance',
    'corrected', m.training_report -> 'corrected') END`;

const columnsWith = (report: string, reference: string): string => `
  m.id, m.account_id AS "accountId", m.mode, m.name, m.description, m.status, m.task_kind AS "taskKind", m.classes, m.channels, m.signal, ${reference} AS reference,
  m.method, ${report} AS "trainingReport", m.model_ref AS "modelRef", m.created_at AS "createdAt", m.fitted_at AS "fittedAt",
  m.expires_at AS "expiresAt", m.collect_until AS "collectUntil", m.paid_through AS "paidThrough",
  ${nextChargeAt} AS "nextChargeAt", m.unpaid_since AS "unpaidSince", m.deleted_at AS "deletedAt",
  m.blocked_at AS "blockedAt", m.retry_at AS "retryAt", m.cleanup, ${fitPending} AS "fitPending",
  CASE WHEN m.status = 'collecting' THEN coalesce(pins_of_batches(m.id), m.pins) ELSE m.pins END AS pins`;

/** Columns of a StoredTaskModel; the table's alias is `m`. */
export const columns = columnsWith('m.training_report', 'm.reference');

/** The same without the training report, for requests that do not use it. */
export const columnsWithoutReport = columnsWith('NULL::jsonb', 'm.reference');

/** The same with only the scores of the training report, and without evidence on reference recordings. */
export const listColumns = columnsWith(reportScores, `m.reference || '{"evidence": null}'`);

/** The readers' view of a row; null: a create in progress. */
export function toRecord(row: StoredTaskModel): TaskModelRecord | null {
  if (row.status === 'fitting') return null;
  return {
    id: row.id,
    accountId: row.accountId,
    mode: row.mode,
    name: row.name,
    description: row.description,
    status: row.status,
    taskKind: row.taskKind,
    classes: row.classes,
    channels: row.channels,
    signal: row.signal,
    reference: row.reference,
    method: row.method,
    trainingReport: row.trainingReport,
    modelRef: row.modelRef,
    resampler: resamplerOf(row.pins),
    needs: needsOf(row.pins),
    readsEncoders: readsEncoders(row.pins),
    createdAt: row.createdAt,
    fittedAt: row.fittedAt,
    expiresAt: row.expiresAt,
    collectUntil: row.collectUntil,
    fitPending: row.fitPending,
    paidThrough: row.paidThrough,
    nextChargeAt: row.nextChargeAt,
    unpaidSince: row.unpaidSince,
    deletedAt: row.deletedAt,
    blockedAt: row.blockedAt,
  };
}
