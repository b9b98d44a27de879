import { randomUUID } from 'node:crypto';
import { batchTotals, fitSignalsOf, type BatchTotals } from '../../infra/records/task-models/batches.ts';
import { readStored } from '../../infra/records/task-models/models.ts';
import { requestOf } from '../../infra/records/fit-jobs/fit-jobs.ts';
import type { Sql } from '../../infra/drivers/postgres/transaction.ts';
import { ApiError } from '../../infra/contract/errors.ts';
import { limits } from '../../infra/contract/limits.ts';
import { briefList, quoted } from '../../infra/contract/quote.ts';
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
import { priorOf, type PriorPlan } from './prior.ts';
import { runJob } from './run-job.ts';
import { encodersOf } from './encoders-of.ts';

function requireTrials(counts: Readonly<Record<string, number>>): void {
  const rows = Object.entries(counts);
  if (rows.length >= limits.minClasses && rows.every(([, count]) => count >= limits.minTrialsPerClass)) return;
  const shown = briefList(rows.map(([label, count]) => `${quoted(label, 30)} ${count}`));
  throw new ApiError(
    'TOO_FEW_TRIALS',
    `The batches hold ${rows.length} class${rows.length === 1 ? '' : 'es'} (${shown}); at least ${limits.minClasses} ` +
      `classes with ${limits.minTrialsPerClass} trials each are needed. Send further batches to /trials.`,
    { field: 'labels' },
  );
}

async function planOf(
  deps: ApiDeps,
  { accountId, at }: Caller,
  { id, description, channels: channelNames }: TaskModelRecord,
  { trialsPerClass }: BatchTotals,
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

/**
 * Fits a collecting model on all its batches: reserves the credit, runs the job, awaits its answer. Throws before it
 * reserves credit if this version cannot read one of the batches. If an earlier request with the same key started a job
 * and its process died, joins that job.
 */
export async function fit(deps: ApiDeps, context: RequestContext, modelId: string, ticket: Ticket): Promise<Answer> {
  const { caller, usage } = context;
  const joined = ticket.job && (await requestOf(deps.pool, ticket.job.jobId));
  if (joined) return runJob(deps, usage, joined, ticket);
  const record = requireLiving(admittedModel(caller), modelId, caller.at);
  requireCollecting(record);
  requireNoFit(record);
  requireUnexpired(record, caller.at);
  const refusal = unservable(record);
  if (refusal) throw refusal;
  const totals = await batchTotals(deps.pool, modelId);
  requireTrials(totals.trialsPerClass);
  await requireRoomForFit(deps.pool, caller);
  const plan = await planOf(deps, caller, record, totals);
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
        ...spellingWarnings(Object.keys(totals.trialsPerClass)),
        ...record.signal.warnings,
        ...plan.findings.map(({ message }) => message),
      ]),
    ].slice(0, limits.warningsOfBatches),
  };
  const job = await beginJob(deps, context, draft, ticket, (sql) =>
    requireUnfitted(sql, caller, modelId, totals.batches),
  );
  return runJob(deps, usage, job, ticket);
}
