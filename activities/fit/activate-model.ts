import { ApplicationFailure } from '@temporalio/common';
import { finishIdempotency } from '../../infra/records/admission/index.ts';
import type { ErrorCode } from '../../infra/contract/errors.ts';
import { objectPrefixes } from '../../infra/contract/object-names.ts';
import type { FitOutcome, FitTarget } from '../../infra/contract/fit-request.ts';
import { capture } from '../../infra/records/ledger/index.ts';
import {
  activate as activateRow,
  markCleaned,
  needsInService,
  readStored,
  type StoredTaskModel,
} from '../../infra/records/task-models/index.ts';
import { transaction, type Sql } from '../../infra/drivers/postgres/index.ts';
import { finishFit, lockJob, type LockedJob } from '../../infra/records/fit-jobs/fit-jobs.ts';
import { countCharge } from '../../infra/observe/metrics.ts';
import { removePrefixes } from '../lifecycle/clean-up.ts';
import type { Tools } from '../tools.ts';
import type { Winner } from '../types.ts';
import { fittedAnswer } from './answers.ts';

const gone: FitOutcome = { result: 'gone', status: 404 };

/**
 * The answer and the money commit together (design, decision 10): model active, create fee and first month captured, the
 * answer of the job and of its Idempotency-Key. Repeating it finds the answer and changes nothing. Account, mode and hold
 * are those that Postgres holds. The model is fitted at the instant `at`, or now if that is later. Throws, and charges
 * nothing, if nothing waits for the answer any more, if the service does not hold what the model needs to answer (other
 * code than this fitted it, or no live API has the weights), and if the model has expired meanwhile.
 */
export async function activate(
  { pool, reach }: Tools,
  { modelId, jobId }: FitTarget,
  winner: Winner,
  report: Uint8Array,
  at: number,
): Promise<FitOutcome> {
  await reach('activate:before');
  let captured = 0n;
  const outcome = await transaction(pool, async (sql): Promise<FitOutcome> => {
    const job = await lockJob(sql, jobId);
    if (!job) return gone;
    if (job.status !== null) return job.status < 300 ? { result: 'activated', status: job.status } : gone;
    const fittedAt = new Date(Math.max(at, job.now.getTime()));
    const stored = await readStored(sql, modelId, true);
    if (!stored || (stored.status !== 'fitting' && stored.status !== 'collecting')) return gone;
    requireAwaited(job);
    await requireHeld(sql, winner.pins);
    requireUnexpired(stored, fittedAt);
    const trainingReport = JSON.parse(Buffer.from(report).toString()) as Record<string, unknown>;
    const classes = Object.keys(trainingReport['trials_per_class'] as object);
    const record = await activateRow(sql, {
      id: modelId,
      fittedAt,
      method: winner.method,
      classes,
      trainingReport,
      modelRef: winner.modelRef,
      pins: winner.pins,
    });
    if (!record) return gone;
    const { accountId, mode } = stored;
    const { holdId, idempotencyKey: key } = job.request;
    const charged = await capture(sql, holdId, { modelId, accountId, mode, at: fittedAt, fittedAt });
    captured = charged;
    const answer = fittedAnswer(job.request, record, fittedAt, charged);
    await finishFit(sql, jobId, answer, fittedAt);
    if (key !== null) await finishIdempotency(sql, { accountId, mode, key, ...answer });
    await reach('activate:before-commit');
    return { result: 'activated', status: answer.status };
  });
  countCharge('create', captured);
  await reach('activate:after-commit');
  return outcome;
}

/** Deletes what an activated model needs no more. Idempotent. */
export async function cleanUpFitted(tools: Tools, { modelId }: FitTarget, { result }: FitOutcome): Promise<void> {
  if (result === 'activated') {
    await removePrefixes(tools, objectPrefixes.features(modelId, new Date()));
    await markCleaned(tools.pool, modelId, 'features');
  }
  await tools.reach('activate:after-clean-up');
}

const refused = (type: ErrorCode, message: string, field?: string): ApplicationFailure =>
  ApplicationFailure.create({ type, message, nonRetryable: true, ...(field !== undefined && { details: [field] }) });

/** Nothing is captured for a request that has ended and left no key under which its answer would wait. */
function requireAwaited({ awaited }: LockedJob): void {
  if (awaited) return;
  throw refused(
    'BACKEND_FAILURE',
    'The request ended before its answer and had no Idempotency-Key; nothing was charged. Send the request again.',
  );
}

async function requireHeld(sql: Sql, pins: readonly string[]): Promise<void> {
  const needs = await needsInService(sql, pins);
  if (needs.length === 0) return;
  throw refused(
    'BACKEND_FAILURE',
    `The fitted model needs ${needs.join(', ')}, which this service does not hold; nothing was charged. ` +
      'Send the request again.',
  );
}

/** A model that would be expired at birth is not sold. */
function requireUnexpired({ expiresAt }: Pick<StoredTaskModel, 'expiresAt'>, at: Date): void {
  if (expiresAt === null || expiresAt > at) return;
  throw refused(
    'INVALID_REQUEST',
    `expires_at: ${expiresAt.toISOString()} passed while the model was fitted, which ended ${at.toISOString()}. ` +
      'Nothing was charged. Send a later date, or null.',
    'expires_at',
  );
}
