import { createHash, randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { IdempotentJob } from '../../infra/records/admission/index.ts';
import { createCost, reserve } from '../../infra/records/ledger/index.ts';
import { batchesOf, classCountsOf, readStored, type Batch } from '../../infra/records/task-models/index.ts';
import { transaction } from '../../infra/drivers/postgres/index.ts';
import { ApiError } from '../../infra/contract/errors.ts';
import { invalidRequest } from '../../infra/contract/invalid-request.ts';
import { limits } from '../../infra/contract/limits.ts';
import type { TaskModelRecord } from '../../infra/contract/task-model.ts';
import type { ApiDeps } from '../deps.ts';
import { lookUp, pathId, requireLiving } from '../use-cases/find-model.ts';
import { planFit, type Plan } from '../use-cases/plan.ts';
import type { Ticket } from '../http/idempotency.ts';
import { parseSmallBody } from '../http/body.ts';
import { callerOf, type Caller } from '../http/request.ts';
import { runOnce } from '../http/run-once.ts';
import { notesOf } from '../use-cases/batch-notes.ts';
import { requireCollecting } from './trials.ts';

const bodyHash = createHash('sha256').update('{}').digest('hex');

function requireEmpty(body: unknown): void {
  const fields = typeof body === 'object' && body !== null && !Array.isArray(body) ? Object.keys(body) : ['body'];
  if (fields.length === 0) return;
  throw invalidRequest(
    fields.map((field) => ({
      field,
      message: `${field}: a fit takes no fields; send no body, or {}.`,
      alternatives: [{ [field]: null }],
    })),
  );
}

function requireTrials(counts: Readonly<Record<string, number>>): void {
  const rows = Object.entries(counts);
  if (rows.length >= limits.minClasses && rows.every(([, count]) => count >= limits.minTrialsPerClass)) return;
  const shown = rows.map(([label, count]) => `"${label}" ${count}`).join(', ');
  throw new ApiError(
    'TOO_FEW_TRIALS',
    `The batches hold ${rows.length} class${rows.length === 1 ? '' : 'es'} (${shown}); at least ${limits.minClasses} classes with ${limits.minTrialsPerClass} trials each are needed. Send further batches to /trials.`,
    { field: 'labels' },
  );
}

function planOf(deps: ApiDeps, record: TaskModelRecord, batches: readonly Batch[]): Promise<Plan> {
  const { sampling_rate_hz: sourceRateHz, seconds_per_trial: seconds } = batches[0].signal;
  return planFit(deps, {
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

async function beginJob(
  deps: ApiDeps,
  { accountId, mode, at }: Caller,
  modelId: string,
  ticket: Ticket,
): Promise<IdempotentJob> {
  return transaction(deps.pool, async (sql) => {
    const stored = await readStored(sql, modelId, true);
    if (stored?.fitPending)
      throw new ApiError('CONFLICT', `A fit of the task model ${modelId} is running already.`, {
        field: 'model_id',
        retryAfterSeconds: 5,
      });
    if (stored?.status !== 'collecting')
      requireCollecting(requireLiving(await lookUp(sql, { accountId, mode, at }, modelId), modelId, at));
    const holdId = await reserve(sql, { accountId, mode, modelId, at });
    const job = { modelId, jobId: randomUUID(), holdId };
    await ticket.setJob(sql, job);
    return job;
  });
}

export function fitRoute(app: FastifyInstance, deps: ApiDeps): void {
  const config = { endpoint: 'task_models.fit', scopes: ['predictions'], bodyBytes: 65_536 };
  app.post('/v1/task-models/:model_id/fit', { config }, async (request, reply) => {
    const caller = callerOf(request);
    const modelId = pathId(request);
    requireEmpty(parseSmallBody(request.body, {}));
    return runOnce(deps, request, reply, bodyHash, async (ticket) => {
      const record = requireLiving(await lookUp(deps.pool, caller, modelId), modelId, caller.at);
      requireCollecting(record);
      const batches = await batchesOf(deps.pool, modelId);
      requireTrials(classCountsOf(batches));
      const plan = await planOf(deps, record, batches);
      const job = ticket.job ?? (await beginJob(deps, caller, modelId, ticket));
      const answer = await deps.jobs.runFit({
        jobId: job.jobId,
        modelId,
        accountId: caller.accountId,
        mode: caller.mode,
        taskKind: record.taskKind,
        source: { batches: true },
        candidates: plan.candidates,
        skipped: plan.skipped,
        featureSets: plan.featureSets,
        warnings: [...new Set([...batches.flatMap(({ signal }) => signal.warnings), ...plan.warnings])].slice(0, 50),
        idempotencyKey: ticket.key,
        holdId: job.holdId,
        requestId: request.id,
      });
      if (answer.status < 300 && caller.mode === 'live') request.usage.microUsd = createCost;
      return answer;
    });
  });
}
