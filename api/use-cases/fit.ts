import { batchesOf, classCountsOf, readStored, type Batch } from '../../infra/records/task-models/index.ts';
import type { Sql } from '../../infra/drivers/postgres/index.ts';
import { ApiError } from '../../infra/contract/errors.ts';
import { limits } from '../../infra/contract/limits.ts';
import type { TaskModelRecord } from '../../infra/contract/task-model.ts';
import type { ApiDeps } from '../deps.ts';
import type { Answer } from '../http/answer.ts';
import type { Ticket } from '../http/idempotency.ts';
import type { Asked, Caller } from '../http/request.ts';
import type { Plan } from '../threads/plan.ts';
import { notesOf } from './batch-notes.ts';
import { beginJob, runJob } from './begin-job.ts';
import { lookUp, requireCollecting, requireLiving, unservable } from './find-model.ts';

/** Warnings of all batches that a fit is told. */
const mostWarnings = 50;

function requireTrials(counts: Readonly<Record<string, number>>): void {
  const rows = Object.entries(counts);
  if (rows.length >= limits.minClasses && rows.every(([, count]) => count >= limits.minTrialsPerClass)) return;
  const shown = rows.map(([label, count]) => `"${label}" ${count}`).join(', ');
  throw new ApiError(
    'TOO_FEW_TRIALS',
    `The batches hold ${rows.length} class${rows.length === 1 ? '' : 'es'} (${shown}); at least ${limits.minClasses} ` +
      `classes with ${limits.minTrialsPerClass} trials each are needed. Send further batches to /trials.`,
    { field: 'labels' },
  );
}

function planOf(
  { threads }: ApiDeps,
  caller: Caller,
  record: TaskModelRecord,
  batches: readonly Batch[],
): Promise<Plan> {
  const { sampling_rate_hz: sourceRateHz, seconds_per_trial: seconds } = batches[0].signal;
  return threads.plan(caller.accountId, {
    description: record.description,
    trialsPerClass: classCountsOf(batches),
    channelNames: record.channels,
    sourceRateHz,
    seconds,
    samples: Math.ceil(seconds * limits.workingRateHz),
    storedFeaturesOnly: true,
    ...notesOf(batches.map(({ signal }) => signal.fit)),
  });
}

/** Locks the model's row; throws where another fit runs, or the model does not collect any more. */
async function requireUnfitted(sql: Sql, caller: Caller, modelId: string): Promise<void> {
  const stored = await readStored(sql, modelId, true);
  if (stored?.fitPending)
    throw new ApiError('CONFLICT', `A fit of the task model ${modelId} is running already.`, {
      field: 'model_id',
      retryAfterSeconds: 5,
    });
  if (stored?.status !== 'collecting')
    requireCollecting(requireLiving(await lookUp(sql, caller, modelId), modelId, caller.at));
}

/**
 * Fits a collecting model on all its batches: hold the credit, run the job, await its answer. Refused before credit is
 * held where this code cannot read one of the batches.
 */
export async function fit(deps: ApiDeps, asked: Asked, modelId: string, ticket: Ticket): Promise<Answer> {
  const { caller } = asked;
  const record = requireLiving(await lookUp(deps.pool, caller, modelId), modelId, caller.at);
  requireCollecting(record);
  const refusal = ticket.job ? null : unservable(record);
  if (refusal) throw refusal;
  const batches = await batchesOf(deps.pool, modelId);
  requireTrials(classCountsOf(batches));
  const plan = await planOf(deps, caller, record, batches);
  const job =
    ticket.job ?? (await beginJob(deps, asked, modelId, ticket, (sql) => requireUnfitted(sql, caller, modelId)));
  const warnings = new Set([...batches.flatMap(({ signal }) => signal.warnings), ...plan.warnings]);
  return runJob(deps, asked, job, ticket, plan, {
    taskKind: record.taskKind,
    source: { batches: true },
    warnings: [...warnings].slice(0, mostWarnings),
  });
}
