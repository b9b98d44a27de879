import { ApplicationFailure } from '@temporalio/common';
import { finishIdempotency } from '../../infra/records/admission/index.ts';
import { objectPrefixes } from '../../infra/contract/object-names.ts';
import type { FitOutcome } from '../../infra/contract/fit-request.ts';
import { capture } from '../../infra/records/ledger/index.ts';
import { activate, markCleaned, needsOf, readStored } from '../../infra/records/task-models/index.ts';
import { transaction } from '../../infra/drivers/postgres/index.ts';
import { finishFit, lockedOutcome } from '../../infra/records/fit-jobs/fit-jobs.ts';
import { beating } from '../beating.ts';
import { removePrefixes } from '../lifecycle/clean-up.ts';
import type { Tools } from '../tools.ts';
import type { Activities } from '../types.ts';
import { fittedAnswer } from './answers.ts';

const gone: FitOutcome = { result: 'gone', status: 404 };

/**
 * The answer and the money commit together (design, decision 10): model active, create fee and first month captured,
 * the answer of the job and of its idempotency key. Repeating it finds the answer and changes nothing. Then the
 * features and the job's objects are deleted. Throws BACKEND_FAILURE, and charges nothing, where this code does not hold
 * what the model needs to answer: other code than this fitted it.
 */
export function createActivateModel(tools: Tools): Activities['activateModel'] {
  const { pool, objects, reach } = tools;
  return ({ request, winner, at }) =>
    beating(async () => {
      const { modelId, accountId, mode, jobId, holdId, idempotencyKey } = request;
      const fittedAt = new Date(at);
      await reach('activate:before');
      const outcome = await transaction(pool, async (sql): Promise<FitOutcome> => {
        const earlier = await lockedOutcome(sql, jobId);
        if (earlier) return earlier.status < 300 ? { result: 'activated', status: earlier.status } : gone;
        const stored = await readStored(sql, modelId, true);
        if (!stored || (stored.status !== 'fitting' && stored.status !== 'collecting')) return gone;
        requireHeld(winner.pins);
        const trainingReport = JSON.parse(Buffer.from(await objects.get(winner.reportRef)).toString()) as Record<
          string,
          unknown
        >;
        const classes = Object.keys(trainingReport['trials_per_class'] as object);
        const record = await activate(sql, {
          id: modelId,
          fittedAt,
          method: winner.method,
          classes,
          trainingReport,
          modelRef: winner.modelRef,
          pins: winner.pins,
        });
        if (!record) return gone;
        const charged = await capture(sql, holdId, { modelId, accountId, mode, at: fittedAt, fittedAt });
        const answer = fittedAnswer(request, record, fittedAt, charged);
        await finishFit(sql, request, answer, fittedAt);
        if (idempotencyKey !== null) await finishIdempotency(sql, { accountId, mode, key: idempotencyKey, ...answer });
        await reach('activate:before-commit');
        return { result: 'activated', status: answer.status };
      });
      await reach('activate:after-commit');
      if (outcome.result === 'activated') {
        await removePrefixes(tools, objectPrefixes.features(modelId));
        await markCleaned(pool, modelId, 'features');
      }
      await reach('activate:after-clean-up');
      return outcome;
    });
}

function requireHeld(pins: readonly string[]): void {
  const needs = needsOf(pins);
  if (needs.length === 0) return;
  throw ApplicationFailure.create({
    type: 'BACKEND_FAILURE',
    message:
      `The fitted model needs ${needs.join(', ')}, which this service does not hold; nothing was charged. ` +
      'Send the request again.',
    nonRetryable: true,
  });
}
