import { createHash } from 'node:crypto';
import { referenceVersions, type PreparationStatus } from '../../contract/reference-data/preparation.ts';
import type { ReferenceFitRequest, ReferenceFitResult } from '../../contract/reference-fits.ts';
import { currentReferencePins } from '../../../ml/pins/index.ts';
import type { ObjectStore } from '../../drivers/objects/object-store.ts';
import type { Sql } from '../../drivers/postgres/transaction.ts';
import { isDue, type StoredPreparation } from '../reference-data/preparations.ts';

/** The stored fit for one shape of trials; `result` is set when it is ready. */
export interface StoredFit extends Pick<
  StoredPreparation,
  'status' | 'retryable' | 'reason' | 'estimatedSeconds' | 'due'
> {
  readonly result: ReferenceFitResult | null;
}

/**
 * Key of a fit. It depends on people, classes, electrodes, length and rate, and on the versions of features, resampler,
 * answers and methods. `people`: their objects, whose names identify the recordings they were computed from.
 */
export function fitKeyOf(
  { set, version, task, classes, shape }: Omit<ReferenceFitRequest, 'key'>,
  people: readonly { readonly ref: string }[],
): string {
  const { channelNames, seconds, sourceRateHz } = shape;
  const made = [referenceVersions, currentReferencePins()];
  const parts = [...made, set, version, task, classes, channelNames, seconds, sourceRateHz];
  const hash = createHash('sha256').update(JSON.stringify(parts));
  for (const { ref } of people) hash.update(`\n${ref}`);
  return hash.digest('hex').slice(0, 32);
}

interface Row {
  readonly status: Exclude<PreparationStatus, 'absent'>;
  readonly retryable: boolean;
  readonly reason: string | null;
  readonly done: number;
  readonly usual: number;
  readonly running: number | null;
  readonly still: number;
  readonly ref: string | null;
  readonly pins: string[] | null;
  readonly evidence: ReferenceFitResult['evidence'] | null;
}

const absent: StoredFit = {
  status: 'absent',
  retryable: true,
  reason: null,
  estimatedSeconds: null,
  due: true,
  result: null,
};

/** State of a fit at an instant. */
export async function readFit(sql: Sql, key: string, at: Date = new Date()): Promise<StoredFit> {
  const { rows } = await sql.query<Row>(
    `SELECT status, retryable, reason, done, usual_seconds AS usual, ref, pins, evidence,
       extract(epoch FROM $2::timestamptz - started_at)::double precision AS running,
       extract(epoch FROM $2::timestamptz - updated_at)::double precision AS still
     FROM reference_fits WHERE key = $1`,
    [key, at],
  );
  if (!rows[0]) return absent;
  const { status, retryable, reason, ref, pins, evidence, still, ...seen } = rows[0];
  return {
    status,
    retryable,
    reason,
    estimatedSeconds: status === 'ready' ? null : left(seen),
    due: isDue({ status, retryable, still }),
    result: ref !== null && pins && evidence ? { ref, pins, evidence } : null,
  };
}

/** Extrapolates from the progress; falls back to the usual duration. */
function left({ done, usual, running }: Pick<Row, 'done' | 'usual' | 'running'>): number {
  const elapsed = running ?? 0;
  const whole = done > 0.1 ? elapsed / done : Math.max(usual, elapsed * 1.2);
  return Math.max(1, Math.ceil(whole - elapsed));
}

/** Records the time at which a fit was requested, to the hour. */
export async function recordFitRequest(sql: Sql, key: string, at: Date): Promise<void> {
  await sql.query(
    `UPDATE reference_fits SET asked_at = $2
     WHERE key = $1 AND asked_at < $2::timestamptz - interval '1 hour'`,
    [key, at],
  );
}

/** Records progress, as a fraction, which also shows that the fit is alive. */
export async function recordFitProgress(sql: Sql, key: string, done: number, at: Date): Promise<void> {
  await sql.query(
    `UPDATE reference_fits SET done = $2::float8, updated_at = $3, status = 'running', retryable = false, reason = NULL,
       started_at = CASE WHEN status = 'running' AND $2::float8 > 0 THEN started_at ELSE $3 END
     WHERE key = $1 AND status IN ('queued', 'running')`,
    [key, Math.min(1, Math.max(0, done)), at],
  );
}

/** False if the fit is no longer expected. */
export async function completeFit(sql: Sql, key: string, result: ReferenceFitResult, at: Date): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE reference_fits SET status = 'ready', retryable = false, reason = NULL, done = 1, ref = $2, pins = $3,
       evidence = $4, updated_at = $5 WHERE key = $1`,
    [key, result.ref, JSON.stringify(result.pins), JSON.stringify(result.evidence), at],
  );
  return rowCount === 1;
}

/** Records a fit that ended without a result. */
export async function endFit(
  sql: Sql,
  key: string,
  { retryable, reason }: { readonly retryable: boolean; readonly reason: string },
  at: Date,
): Promise<void> {
  await sql.query(
    `UPDATE reference_fits SET status = 'failed', retryable = $2, reason = $3, updated_at = $4
     WHERE key = $1 AND status <> 'ready'`,
    [key, retryable, reason, at],
  );
}

/** Whether the object of a fit exists. If not, the fit's row is deleted, so that the next request computes it again. */
export async function fitObjectExists(
  { pool, objects }: { readonly pool: Sql; readonly objects: Pick<ObjectStore, 'list'> },
  { ref }: Pick<ReferenceFitResult, 'ref'>,
): Promise<boolean> {
  if ((await objects.list(ref)).some(({ name }) => name === ref)) return true;
  await forgetFit(pool, ref);
  return false;
}

/** Deletes the row of a fit whose object is gone, so that the next request computes it again. */
export async function forgetFit(sql: Sql, ref: string): Promise<void> {
  await sql.query('DELETE FROM reference_fits WHERE ref = $1', [ref]);
}

/** Usual seconds of a fit on two cores: it reads every person's features and fits once per left-out group. */
export const usualFitSeconds = (people: number, channels: number): number =>
  Math.round(5 + people * (0.05 + (channels / 64) ** 2 * 0.5));
