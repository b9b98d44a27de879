import { readStored } from '../../infra/records/task-models/models.ts';
import { transaction, type Sql } from '../../infra/drivers/postgres/transaction.ts';
import type { ApiError } from '../../infra/contract/errors.ts';
import { objectNames, objectPrefixes } from '../../infra/contract/object-names.ts';
import type { FitOutcome, FitRequest } from '../../infra/contract/fit-request.ts';
import { answerOf } from '../../infra/records/fit-jobs/fit-jobs.ts';
import { endUnfitted } from '../../infra/records/fit-jobs/end-unfitted.ts';
import { withHeartbeats } from '../with-heartbeats.ts';
import { deleteStaged, removePrefixes } from '../lifecycle/clean-up.ts';
import type { Tools } from '../tools.ts';
import type { Activities, FitFailure } from '../activities.ts';
import { failureError } from './job-answers.ts';

/** Ends the job without a model in one transaction (`endUnfitted`), then deletes its objects. */
export function createAbandonFit(tools: Tools): Activities['abandonFit'] {
  return ({ request, failure, at }) =>
    withHeartbeats(async () => {
      const outcome = await transaction(tools.pool, async (sql) => {
        const ended = await abandon(sql, request, failure, new Date(at));
        await tools.reach('abandon:before-commit');
        return ended;
      });
      await tools.reach('abandon:after-commit');
      const { accountId: account, modelId: model, jobId: job } = request;
      tools.log?.info('A fit was abandoned.', { account, model, job, code: failure.code });
      await removeJob(tools, request, outcome.status);
      return outcome;
    });
}

/** Deletes the objects of an ended job, and those of its model unless it was activated. Idempotent. */
async function removeJob(tools: Tools, request: FitRequest, status: number): Promise<void> {
  await deleteStaged(tools, request);
  if (status >= 300) await tools.objects.delete(objectNames.model(request));
  await removePrefixes(tools, [objectPrefixes.job(request)]);
}

/**
 * Deletes the objects of a job that was ended without a model while an activity still ran it. Never rejects; the
 * reconciler deletes the rest.
 */
export async function removeUnwanted(tools: Tools, request: FitRequest): Promise<void> {
  try {
    const status = (await answerOf(tools.pool, request.jobId))?.status ?? 0;
    if (status >= 300) await removeJob(tools, request, status);
  } catch (error) {
    const { jobId: job } = request;
    tools.log?.warn('Objects of an ended fit could not be deleted; the reconciler deletes them.', { job, error });
  }
}

/** The same in the caller's transaction. The objects stay. */
export async function abandon(sql: Sql, request: FitRequest, failure: FitFailure, at: Date): Promise<FitOutcome> {
  const status = await endUnfitted(sql, request.jobId, await errorFor(sql, request, failure), at);
  return { result: status < 300 ? 'activated' : 'abandoned', status };
}

/** If the model ended or was fitted in the meantime, the error names its status. */
async function errorFor(sql: Sql, { modelId }: FitRequest, failure: FitFailure): Promise<ApiError> {
  if (failure.code !== 'CLASSIFIER_NOT_FOUND') return failureError(failure);
  const status = (await readStored(sql, modelId))?.status ?? 'deleted';
  const message = `${modelId} is ${status}; it was not fitted and nothing was charged.`;
  return status === 'deleted' || status === 'expired'
    ? failureError({ ...failure, message }, { status })
    : failureError({ ...failure, code: 'INVALID_REQUEST', message, field: 'model_id' });
}
