import { finishIdempotency, freeIdempotency } from '../../infra/records/admission/index.ts';
import { release } from '../../infra/records/ledger/index.ts';
import { dropFitting, readStored } from '../../infra/records/task-models/index.ts';
import { transaction, type Sql } from '../../infra/drivers/postgres/index.ts';
import { objectNames, objectPrefixes } from '../../infra/contract/object-names.ts';
import type { FitAnswer, FitOutcome, FitRequest } from '../../infra/contract/fit-request.ts';
import { finishFit, lockedOutcome } from '../../infra/records/fit-jobs/fit-jobs.ts';
import { beating } from '../beating.ts';
import { removePrefixes } from '../lifecycle/clean-up.ts';
import type { Tools } from '../tools.ts';
import type { Activities, FitFailure } from '../types.ts';
import { failedAnswer } from './answers.ts';

/**
 * One transaction: hold released, the row of an immediate create dropped (a collecting model stays), the answer of the
 * job; under the idempotency key only CLASSIFIER_FIT_FAILED is kept, anything else frees the key (design, decision 10).
 * A job that has its answer keeps it.
 */
export function createAbandonFit(tools: Tools): Activities['abandonFit'] {
  return ({ request, failure, at }) =>
    beating(async () => {
      const outcome = await transaction(tools.pool, async (sql) => {
        const ended = await abandon(sql, request, failure, new Date(at));
        await tools.reach('abandon:before-commit');
        return ended;
      });
      await tools.reach('abandon:after-commit');
      const reasons = failure.reasons.map(({ method, reason }) => `${method}: ${reason}`).join(' ');
      tools.log?.(`Fit ${request.jobId} of ${request.modelId} was abandoned: ${failure.code}. ${reasons}`);
      if ('staged' in request.source) await tools.objects.delete(request.source.staged);
      if (outcome.result !== 'activated') await tools.objects.delete(objectNames.model(request));
      await removePrefixes(tools, [objectPrefixes.job(request)]);
      return outcome;
    });
}

/** The same inside a transaction of the caller's; the objects stay. */
export async function abandon(sql: Sql, request: FitRequest, failure: FitFailure, at: Date): Promise<FitOutcome> {
  const { jobId, modelId, holdId } = request;
  const earlier = await lockedOutcome(sql, jobId);
  if (earlier) return { result: earlier.status < 300 ? 'activated' : 'abandoned', status: earlier.status };
  const answer = await answerFor(sql, request, failure);
  await release(sql, holdId, at);
  await dropFitting(sql, modelId);
  await finishFit(sql, request, answer, at);
  await answerKey(sql, request, failure, answer);
  return { result: 'abandoned', status: answer.status };
}

/** A model that ended or was fitted meanwhile is named with its status. */
async function answerFor(sql: Sql, request: FitRequest, failure: FitFailure): Promise<FitAnswer> {
  if (failure.code !== 'CLASSIFIER_NOT_FOUND') return failedAnswer(request, failure);
  const status = (await readStored(sql, request.modelId))?.status ?? 'deleted';
  const message = `${request.modelId} is ${status}; it was not fitted and nothing was charged.`;
  return status === 'deleted' || status === 'expired'
    ? failedAnswer(request, { ...failure, message }, { status })
    : failedAnswer(request, { ...failure, code: 'INVALID_REQUEST', message });
}

async function answerKey(
  sql: Sql,
  { accountId, mode, idempotencyKey: key }: FitRequest,
  { code }: FitFailure,
  answer: FitAnswer,
): Promise<void> {
  if (key === null) return;
  if (code === 'CLASSIFIER_FIT_FAILED') await finishIdempotency(sql, { accountId, mode, key, ...answer });
  else await freeIdempotency(sql, { accountId, mode, key });
}
