import { finishIdempotency } from '../../infra/records/admission/idempotency.ts';
import { objectNames, objectPrefixes } from '../../infra/contract/object-names.ts';
import type { Candidate, FitOutcome, FitTarget } from '../../infra/contract/fit-request.ts';
import { capture } from '../../infra/records/ledger/holds.ts';
import { activate, markCleaned } from '../../infra/records/task-models/transitions.ts';
import { needsInService } from '../../infra/records/task-models/pinned.ts';
import { readStored } from '../../infra/records/task-models/models.ts';
import type { StoredTaskModel } from '../../infra/records/task-models/rows.ts';
import { transaction, type Sql } from '../../infra/drivers/postgres/transaction.ts';
import { finishFit, lockJob, type LockedJob } from '../../infra/records/fit-jobs/fit-jobs.ts';
import { countCharge } from '../../infra/observe/metrics.ts';
import { removePrefixes } from '../lifecycle/clean-up.ts';
import type { Tools } from '../tools.ts';
import { finalFailure } from './final-failure.ts';
import { fittedAnswer } from './job-answers.ts';

const gone: FitOutcome = { result: 'gone', status: 404 };

/** A fitted model and its report. */
export interface Fitted {
  readonly method: Pick<Candidate, 'id' | 'version' | 'title'>;
  /** Code and weights that the model needs for its predictions; see `ml/pins`. */
  readonly pins: readonly string[];
  readonly bytes: Uint8Array;
  readonly report: Readonly<Record<string, unknown>>;
}

/**
 * Commits the answer and the money in one transaction (design, decision 10): the model becomes active, the create fee
 * and the first month are captured, and the answer of the job and of its idempotency key is stored. Repeating it finds
 * the answer and changes nothing. The model is stored while its job is locked, so that a second attempt never
 * overwrites a served model. Account, mode and credit hold are read from Postgres. The model is fitted at `at`, or now
 * if now is later. Throws and charges nothing if no one waits for the answer any more, if the service lacks code or
 * weights that the model needs (a different version fitted it, or no live API process has the weights), and if the
 * model has expired.
 */
export async function activateModel(
  { pool, objects, reach }: Pick<Tools, 'pool' | 'objects' | 'reach'>,
  { modelId, jobId }: FitTarget,
  { method, pins, bytes, report }: Fitted,
  at: number,
): Promise<FitOutcome> {
  await reach('activate:before');
  let captured = 0n;
  const outcome = await transaction(pool, async (sql): Promise<FitOutcome> => {
    const job = await lockJob(sql, jobId);
    if (!job) return gone;
    if (job.status !== null) return job.status < 300 ? { result: 'activated', status: job.status } : gone;
    const modelRef = objectNames.model({ modelId, jobId });
    await objects.put(modelRef, bytes);
    const fittedAt = new Date(Math.max(at, job.now.getTime()));
    const stored = await readStored(sql, modelId, true);
    if (!stored || (stored.status !== 'fitting' && stored.status !== 'collecting')) return gone;
    requireAwaited(job);
    await requireInstalledPins(sql, pins);
    requireUnexpired(stored, fittedAt);
    const classes = Object.keys(report['trials_per_class'] as object);
    const record = await activate(sql, {
      id: modelId,
      fittedAt,
      method,
      classes,
      trainingReport: report,
      modelRef,
      pins,
    });
    if (!record) return gone;
    const { accountId, mode } = stored;
    const { holdId, idempotencyKey: key } = job.request;
    const charged = await capture(sql, holdId, { modelId, accountId, mode, at: fittedAt, fittedAt });
    captured = charged;
    const answer = fittedAnswer(job.request, record, fittedAt, charged);
    await finishFit(sql, jobId, answer, fittedAt);
    if (key !== null) await finishIdempotency(sql, { accountId, mode, key, modelId, ...answer });
    await reach('activate:before-commit');
    return { result: 'activated', status: answer.status };
  });
  countCharge('create', captured);
  await reach('activate:after-commit');
  return outcome;
}

/** Deletes the features and staged signal of an activated model. Idempotent. */
export async function cleanUpFitted(
  tools: Pick<Tools, 'pool' | 'objects' | 'reach'>,
  { modelId }: FitTarget,
  { result }: FitOutcome,
): Promise<void> {
  if (result === 'activated') {
    await removePrefixes(tools, objectPrefixes.features(modelId, new Date()));
    await markCleaned(tools.pool, modelId, 'features');
  }
  await tools.reach('activate:after-clean-up');
}

/** Charges nothing for a request that has ended without an idempotency key: no one could read the answer. */
function requireAwaited({ awaited }: LockedJob): void {
  if (awaited) return;
  throw finalFailure({
    code: 'BACKEND_FAILURE',
    message:
      'The request ended before its answer and had no Idempotency-Key; nothing was charged. Send the request again.',
  });
}

async function requireInstalledPins(sql: Sql, pins: readonly string[]): Promise<void> {
  const needs = await needsInService(sql, pins);
  if (needs.length === 0) return;
  throw finalFailure({
    code: 'BACKEND_FAILURE',
    message:
      `The fitted model needs ${needs.join(', ')}, which this service does not have; nothing was charged. ` +
      'Send the request again.',
  });
}

/** Charges nothing for a model that has already expired. */
function requireUnexpired({ expiresAt }: Pick<StoredTaskModel, 'expiresAt'>, at: Date): void {
  if (expiresAt === null || expiresAt > at) return;
  throw finalFailure({
    code: 'INVALID_REQUEST',
    message:
      `expires_at: ${expiresAt.toISOString()} passed while the model was fitted, which ended ${at.toISOString()}. ` +
      'Nothing was charged. Send a later date, or null.',
    field: 'expires_at',
  });
}
