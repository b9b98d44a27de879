import { randomUUID } from 'node:crypto';
import { objectNames } from '../../infra/contract/object-names.ts';
import type { IdempotentJob } from '../../infra/records/admission/index.ts';
import { createCost, release, reserve } from '../../infra/records/ledger/index.ts';
import { dropFitting, insertFitting } from '../../infra/records/task-models/index.ts';
import { transaction } from '../../infra/drivers/postgres/index.ts';
import { ApiError } from '../../infra/contract/errors.ts';
import type { ApiDeps } from '../deps.ts';
import type { Answer } from '../http/answer.ts';
import type { Ticket } from '../http/idempotency.ts';
import { newModel, newModelId, type CreateInput } from './create-input.ts';

/** Holds the credit and writes down the model and its job: all, or nothing. */
async function beginJob(deps: ApiDeps, input: CreateInput, ticket: Ticket): Promise<IdempotentJob> {
  const { accountId, mode, at } = input.caller;
  const [modelId, jobId] = [newModelId(), randomUUID()];
  return transaction(deps.pool, async (sql) => {
    const holdId = await reserve(sql, { accountId, mode, modelId, at });
    await insertFitting(sql, newModel(input, modelId));
    await ticket.setJob(sql, { modelId, jobId, holdId });
    return { modelId, jobId, holdId };
  });
}

async function undo(deps: ApiDeps, { modelId, holdId }: IdempotentJob): Promise<void> {
  await transaction(deps.pool, async (sql) => {
    await release(sql, holdId);
    await dropFitting(sql, modelId);
  });
}

/** A joined job may run on the trials that were staged before: it is left alone, and its key stays taken. */
const joinedAnyway = (cause: unknown): ApiError =>
  new ApiError(
    'POOL_UNAVAILABLE',
    'The trials could not be staged again for the job that runs. Send the same request with the same Idempotency-Key to get its answer.',
    { cause, retryAfterSeconds: 5, details: { job: 'running' } },
  );

/**
 * An immediate create: hold the credit, stage the trials, run the job, await its answer. A job that an earlier request with the same key
 * began, and whose process died, is joined: staging again is harmless, and the job has the same id.
 */
export async function createFitted(deps: ApiDeps, input: CreateInput, ticket: Ticket): Promise<Answer> {
  const { caller, create, plan, trials, sessions, recordings, signal } = input;
  const job = ticket.job ?? (await beginJob(deps, input, ticket));
  const staged = objectNames.staged(job);
  try {
    await deps.threads.run(
      'stage',
      { name: staged, trials, labels: create.labels, sessions, recordings },
      { transfer: [trials.data.buffer as ArrayBuffer] },
    );
  } catch (error) {
    if (ticket.job) throw joinedAnyway(error);
    await undo(deps, job);
    throw error;
  }
  const answer = await deps.jobs.runFit({
    jobId: job.jobId,
    modelId: job.modelId,
    accountId: caller.accountId,
    mode: caller.mode,
    taskKind: plan.kind,
    source: { staged },
    candidates: plan.candidates,
    skipped: plan.skipped,
    featureSets: plan.featureSets,
    warnings: [...signal.warnings, ...plan.warnings],
    idempotencyKey: ticket.key,
    holdId: job.holdId,
    requestId: input.requestId,
  });
  if (answer.status < 300 && caller.mode === 'live') input.usage.microUsd = createCost;
  return answer;
}
