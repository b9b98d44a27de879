import { randomUUID } from 'node:crypto';
import { batchTotals, fitSignalsOf } from '../../infra/records/task-models/batches.ts';
import { readStored } from '../../infra/records/task-models/models.ts';
import type { Sql } from '../../infra/drivers/postgres/transaction.ts';
import { ApiError } from '../../infra/contract/errors.ts';
import { limits } from '../../infra/contract/limits.ts';
import type { TaskModelRecord } from '../../infra/contract/task-model.ts';
import type { ApiDeps } from '../deps.ts';
import type { Answer } from '../http/answer.ts';
import type { Ticket } from '../http/idempotency.ts';
import type { RequestContext, Caller } from '../http/request.ts';
import { spellingWarnings } from '../intake/labels.ts';
import type { Plan } from '../intake/plan-fit.ts';
import { notesOf } from './batch-notes.ts';
import { beginJob, requireRoomForFit } from './begin-job.ts';
import {
  admittedModel,
  lookUp,
  requireCollecting,
  requireLiving,
  requireNoFit,
  requireUnexpired,
  unservable,
} from './find-model.ts';
import { joinedJob } from './joined-job.ts';
import { priorOf, type PriorPlan } from './prior.ts';
import { requireTrials, withoutClasses } from './require-trials.ts';
import { runJob } from './run-job.ts';
import { encodersOf } from './encoders-of.ts';
import { requestSentence } from '../intake/request-sentences.ts';

async function planOf(
  deps: ApiDeps,
  { accountId, at }: Caller,
  { id, description, channels: channelNames }: TaskModelRecord,
  trialsPerClass: Readonly<Record<string, number>>,
): Promise<Plan & { readonly prior: PriorPlan }> {
  const signals = await fitSignalsOf(deps.pool, id);
  const { sampling_rate_hz: sourceRateHz, seconds_per_trial: seconds, fit: notes } = signals[0]!;
  const classes = Object.keys(trialsPerClass);
  const shape = { channelNames, seconds, sourceRateHz };
  const { baselineSeconds } = notes ?? {};
  const prior = await priorOf(deps, { accountId, description, classes, shape, baselineSeconds, at, fits: true });
  const plan = await deps.threads.plan(accountId, {
    description,
    trialsPerClass,
    channelNames,
    sourceRateHz,
    seconds,
    samples: Math.ceil(seconds * limits.workingRateHz),
    storedFeaturesOnly: true,
    encoders: await encodersOf(deps, { storedFeaturesOnly: true }),
    ...(prior.reference ? { reference: prior.reference } : {}),
    ...(prior.network ? { network: prior.network } : {}),
    ...notesOf(signals.map(({ fit: each }) => each)),
  });
  return { ...plan, prior };
}

/**
 * Locks the model's row. Throws if a different fit runs, if the model no longer collects, or if a batch was added after
 * planning.
 */
async function requireUnfitted(sql: Sql, caller: Caller, modelId: string, planned: number): Promise<void> {
  const stored = await readStored(sql, modelId, true);
  if (stored?.status !== 'collecting')
    requireCollecting(requireLiving(await lookUp(sql, caller, modelId), modelId, caller.at));
  requireNoFit(stored!);
  const { batches } = await batchTotals(sql, modelId);
  if (batches !== planned)
    throw new ApiError(
      'CONFLICT',
      `A batch was added meanwhile: ${batches} instead of ${planned}. Send the fit again.`,
      {
        field: 'model_id',
        retryAfterSeconds: 1,
      },
    );
}

/** Counts only: the warnings of a job pass through Temporal. */
function ignoredWarnings(counts: Readonly<Record<string, number>>, ignored: readonly string[]): string[] {
  if (ignored.length === 0) return [];
  const trials = ignored.reduce((sum, label) => sum + counts[label], 0);
  return [requestSentence('ignored_classes', { ignored: ignored.length, classes: Object.keys(counts).length, trials })];
}

/**
 * Fits a collecting model on all its batches: reserves the credit, runs the job, awaits its answer. Throws before it
 * reserves credit if this version cannot read one of the batches. If an earlier request with the same key started a job
 * and its process died, joins that job. `ignored`: classes that the fit leaves out.
 */
export async function fit(
  deps: ApiDeps,
  context: RequestContext,
  modelId: string,
  { ignored, ticket }: { readonly ignored: readonly string[]; readonly ticket: Ticket },
): Promise<Answer> {
  const { caller } = context;
  const joined = await joinedJob(deps, ticket);
  if (joined) return runJob(deps, context, joined, ticket);
  const record = requireLiving(admittedModel(caller), modelId, caller.at);
  requireCollecting(record);
  requireNoFit(record);
  requireUnexpired(record, caller.at);
  const refusal = unservable(record);
  if (refusal) throw refusal;
  const totals = await batchTotals(deps.pool, modelId);
  const trialsPerClass = withoutClasses(totals.trialsPerClass, ignored);
  await requireTrials(deps.pool, modelId, trialsPerClass, ignored);
  await requireRoomForFit(deps.pool, caller);
  const plan = await planOf(deps, caller, record, trialsPerClass);
  const draft = {
    modelId,
    jobId: randomUUID(),
    taskKind: record.taskKind,
    source: { batches: true } as const,
    candidates: plan.candidates,
    skipped: plan.skipped,
    featureSets: plan.featureSets,
    bytes: plan.cost.bytes,
    cpuSeconds: plan.cost.seconds,
    ...(plan.prior.fit ? { reference: plan.prior.fit } : {}),
    ...(plan.prior.network ? { network: plan.prior.network } : {}),
    warnings: [
      ...new Set([
        ...spellingWarnings(Object.keys(trialsPerClass)),
        ...ignoredWarnings(totals.trialsPerClass, ignored),
        ...record.signal.warnings,
        ...plan.findings.map(({ message }) => message),
      ]),
    ].slice(0, limits.warningsOfBatches),
  };
  const unfitted = (sql: Sql): Promise<void> => requireUnfitted(sql, caller, modelId, totals.batches);
  const job = await beginJob(deps, context, draft, ticket, unfitted, ignored);
  return runJob(deps, context, job, ticket);
}
