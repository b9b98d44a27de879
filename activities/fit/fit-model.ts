import { Context } from '@temporalio/activity';
import type { FitOutcome, FitTarget } from '../../infra/contract/fit-request.ts';
import { fitsAtOnce } from '../../infra/contract/workflow-names.ts';
import { answerOf } from '../../infra/records/fit-jobs/fit-jobs.ts';
import { computeFor } from '../compute/compute.ts';
import type { Tools } from '../tools.ts';
import type { Activities, FitEnded } from '../activities.ts';
import { withHeartbeats } from '../with-heartbeats.ts';
import { removeUnwanted } from './abandon-fit.ts';
import { cleanUpFitted } from './activate-model.ts';
import { adoptReference, isAdopted } from './adopt-reference-fit.ts';
import { finalFailure } from './final-failure.ts';
import { createFitTurns } from './fit-turns.ts';
import { fitTrials } from './fit-trials.ts';

/** A fit is given up after this many failed attempts. */
const mostFailed = 5;
/** From this attempt on, a candidate that the service could not score counts as failed. */
const lastForCandidates = 3;
const usualFitMemory = 1024 ** 3;

/**
 * The whole fit of a job in one activity, so that no step waits for Temporal. If the service fails, it throws, and
 * Temporal retries it. Idempotent. If the job was ended without a model in the meantime, it deletes the objects that it
 * stored.
 */
export function createFitModel(all: Tools): Activities['fitModel'] {
  const { threads, fitMemoryBytes: memory = usualFitMemory } = all;
  const inTurn = createFitTurns({ running: threads.size + 1, accepted: fitsAtOnce, memory });
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
        const job = { id: request.jobId, kind: 'fit', mayRequeue: true, mostFailed, givenUp } as const;
        const attempt = (): Promise<FitEnded> =>
          tools.attempt<FitEnded>(job, signal, (failed) =>
            isAdopted(source)
              ? adoptReference(tools, request, source, at, signal)
              : fitTrials(tools, request, at, { signal, report, isLast: failed + 1 >= lastForCandidates }),
          );
        const ended = await (isAdopted(source) ? attempt() : inTurn(request, signal, attempt));
        isActivated = ended.outcome.result === 'activated';
        await cleanUpFitted(tools, request, ended.outcome);
        return ended;
      } finally {
        if (!isActivated) await removeUnwanted(tools, request);
      }
    });
}

function givenUp(why: 'killed' | 'failed'): never {
  if (why === 'failed')
    throw finalFailure({
      code: 'BACKEND_FAILURE',
      message: 'The fit failed on the service side and nothing was charged. Send the request again.',
    });
  const reason = 'The fit ended the process that ran it twice, the second time while nothing else ran there.';
  throw finalFailure({
    code: 'CLASSIFIER_FIT_FAILED',
    message: `${reason} Nothing was charged. Send fewer trials or fewer channels.`,
    reasons: [{ method: 'service', reason }],
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
