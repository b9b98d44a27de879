import { Context } from '@temporalio/activity';
import type { FitOutcome, FitTarget } from '../../infra/contract/fit-request.ts';
import { fitsHeldAtOnce } from '../../infra/contract/workflow-names.ts';
import { answerOf } from '../../infra/records/fit-jobs/fit-jobs.ts';
import { computeFor } from '../compute/compute.ts';
import type { Tools } from '../tools.ts';
import type { Activities } from '../types.ts';
import { withHeartbeats } from '../with-heartbeats.ts';
import { removeUnwanted } from './abandon-fit.ts';
import { cleanUpFitted } from './activate-model.ts';
import { adoptReference } from './adopt-reference.ts';
import { countingAttempts } from './attempts.ts';
import { createFitTurns } from './fit-turns.ts';
import { fitTrials } from './fit-trials.ts';

/**
 * The whole fit of a job in one activity, so that nothing waits for Temporal between its steps. It throws where the
 * service fails, and Temporal retries it. Idempotent. If the job was ended without a model meanwhile, it deletes what
 * it stored.
 */
export function createFitModel(all: Tools): Activities['fitModel'] {
  const inTurn = createFitTurns({ running: all.threads.size + 1, held: fitsHeldAtOnce });
  return ({ request, at }) =>
    withHeartbeats(async (signal, report) => {
      const tools = { ...all, compute: computeFor(all.compute, request) };
      const earlier = await outcomeOfEarlierAttempt(tools, request);
      if (earlier) {
        await cleanUpFitted(tools, request, earlier);
        return { outcome: earlier, method: null, scores: [] };
      }
      const { source } = request;
      let isActivated = false;
      try {
        const ended = await countingAttempts(report, (counted, isLast) =>
          'reference' in source
            ? adoptReference(tools, request, source.reference, at, signal)
            : inTurn(request, signal, () => fitTrials(tools, request, at, { signal, report: counted, isLast })),
        );
        isActivated = ended.outcome.result === 'activated';
        await cleanUpFitted(tools, request, ended.outcome);
        return ended;
      } finally {
        if (!isActivated) await removeUnwanted(tools, request);
      }
    });
}

/** null: no earlier attempt has ended the job. */
async function outcomeOfEarlierAttempt(
  { pool }: Pick<Tools, 'pool'>,
  { jobId }: FitTarget,
): Promise<FitOutcome | null> {
  const answer = Context.current().info.attempt > 1 ? await answerOf(pool, jobId) : null;
  return answer && { result: answer.status < 300 ? 'activated' : 'gone', status: answer.status };
}
