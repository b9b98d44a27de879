import type { IdempotentJob } from '../../infra/records/admission/index.ts';
import { release } from '../../infra/records/ledger/index.ts';
import { dropFitting, insertFitting } from '../../infra/records/task-models/index.ts';
import { transaction } from '../../infra/drivers/postgres/index.ts';
import { ApiError } from '../../infra/contract/errors.ts';
import { objectNames } from '../../infra/contract/object-names.ts';
import type { ApiDeps } from '../deps.ts';
import type { Answer } from '../http/answer.ts';
import type { Ticket } from '../http/idempotency.ts';
import { beginJob, runJob } from './begin-job.ts';
import { newModel, newModelId, type CreateInput } from './create-input.ts';

async function undo({ pool }: ApiDeps, { modelId, holdId }: IdempotentJob): Promise<void> {
  await transaction(pool, async (sql) => {
    await release(sql, holdId);
    await dropFitting(sql, modelId);
  });
}

/** A joined job may run on the trials that were staged before: it is left alone, and its key stays taken. */
const joinedAnyway = (cause: unknown): ApiError =>
  new ApiError(
    'POOL_UNAVAILABLE',
    'The trials could not be staged again for the job that runs. ' +
      'Send the same request with the same Idempotency-Key to get its answer.',
    { cause, retryAfterSeconds: 5, details: { job: 'running' } },
  );

/**
 * An immediate create: hold the credit, stage the trials, run the job, await its answer. A job that an earlier request
 * with the same key began, and whose process died, is joined: staging again is harmless, and the job has the same id.
 */
export async function createFitted(deps: ApiDeps, input: CreateInput, ticket: Ticket): Promise<Answer> {
  const { asked, create, plan, trials, sessions, recordings, signal } = input;
  const modelId = newModelId();
  const job =
    ticket.job ?? (await beginJob(deps, asked, modelId, ticket, (sql) => insertFitting(sql, newModel(input, modelId))));
  const staged = objectNames.staged(job);
  try {
    await deps.threads.stage(asked.caller.accountId, {
      name: staged,
      trials,
      labels: create.labels,
      sessions,
      recordings,
    });
  } catch (error) {
    if (ticket.job) throw joinedAnyway(error);
    await undo(deps, job);
    throw error;
  }
  asked.releaseBody();
  return runJob(deps, asked, job, ticket, plan, {
    taskKind: plan.kind,
    source: { staged },
    warnings: [...signal.warnings, ...plan.warnings],
  });
}
