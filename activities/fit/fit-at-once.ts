import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { FitOutcome, FitRequest } from '../../infra/contract/fit-request.ts';
import { answerOf } from '../../infra/records/fit-jobs/fit-jobs.ts';
import { beating, type Tell } from '../beating.ts';
import { deleteStaged } from '../lifecycle/clean-up.ts';
import type { Tools } from '../tools.ts';
import type { Activities, FitReached } from '../types.ts';
import { removeUnwanted } from './abandon-fit.ts';
import { activated, cleanUpFitted } from './activate-model.ts';
import { refitBest } from './choose-and-refit.ts';
import { featuresOf, type JobFeatures } from './extract-features.ts';
import { holdScores, type HeldScores } from './held-scores.ts';
import { atBeginning, reachedBefore, scoreAll, type Reached } from './score-candidates.ts';
import { storeLater } from './store-later.ts';

/** Most fits end sooner, and store neither features nor scores. */
const usuallyStoresAfterMs = 5_000;

/**
 * A whole fit in one activity, so that nothing waits for Temporal between its steps: features, all candidates, the best
 * refitted, the answer. Its heartbeats say where it stands. Once it has run for `storesAfterMs` its features are
 * stored, and from then on heartbeats name the candidates whose scores are stored: another attempt goes on from them.
 * Features come first, since they need not be the same when they are extracted again; until then the staged signal is
 * kept. It ends early where a candidate could not be scored, where none could be fitted, and where the answer could not
 * be written: what the steps that follow need is stored by then, and returned. Idempotent; of a job that was ended
 * without a model meanwhile nothing stays stored.
 */
export function createFitAtOnce(tools: Tools): Activities['fitAtOnce'] {
  const { log: say } = tools;
  return ({ request, at }) =>
    beating(async (signal, beat) => {
      const earlier = await endedBefore(tools, request);
      if (earlier) {
        await cleanUpFitted(tools, request, earlier);
        return { dataset: null, scores: [], winner: null, outcome: earlier };
      }
      let isActivated = false;
      try {
        const reached = await fitted(tools, request, at, signal, beat);
        isActivated = reached.outcome?.result === 'activated';
        if (reached.outcome) await cleanUpFitted(tools, request, reached.outcome);
        return reached;
      } finally {
        if (!isActivated)
          await removeUnwanted(tools, request).catch((error: unknown) =>
            say?.warn('What a fit stored that had ended could not be removed; the reconciler does.', {
              job: request.jobId,
              error,
            }),
          );
      }
    });
}

async function fitted(
  { recent: shared, storesAfterMs = usuallyStoresAfterMs, ...others }: Tools,
  request: FitRequest,
  at: number,
  signal: AbortSignal,
  beat: Tell,
): Promise<FitReached> {
  const began = performance.now();
  await using recent = holdScores(shared);
  const tools = { ...others, recent };
  let doing = `Extracting ${request.featureSets.length} feature sets`;
  let reached = reachedBefore();
  beat({ doing, ...reached });
  const made = await featuresOf(tools, request, signal);
  if (!made.found) reached = atBeginning;
  const tell = (): void => {
    if (made.found || features.isStored) beat({ doing, ...reached }, recent.store);
    else beat({ doing, ...atBeginning });
  };
  const leftMs = Math.max(0, storesAfterMs - (performance.now() - began));
  await using features = storeLater(made.found ? 0 : leftMs, made.store, tell);
  const progress = (what: string, now = reached): void => {
    [doing, reached] = [what, now];
    tell();
  };
  try {
    const ended = await fittedOn(tools, request, made, reached, signal, at, progress);
    if (ended.winner === null) await Promise.all([features.store(), recent.store()]);
    return ended;
  } catch (error) {
    // Another attempt may come late. It goes on from the stored features; where they are not stored it makes its own,
    // and this process must not remember these.
    const forget = (): void => tools.blobs.forget(made.dataset.ref);
    if (signal.aborted || isFinal(error)) forget();
    else await features.store().catch(forget);
    throw error;
  }
}

/** Nobody goes on after it; what a task of a thread throws ends this activity alone. */
const isFinal = (error: unknown): boolean =>
  error instanceof ApplicationFailure && error.nonRetryable === true && error.type !== 'ComputeFailed';

/** From the features to the answer. */
async function fittedOn(
  tools: Tools & { readonly recent: HeldScores },
  request: FitRequest,
  { dataset, data }: JobFeatures,
  before: Reached,
  signal: AbortSignal,
  at: number,
  progress: (doing: string, reached?: Reached) => void,
): Promise<FitReached> {
  const { candidates, jobId } = request;
  const { scores, told } = await scoreAll(
    tools,
    request,
    async () => data,
    before,
    signal,
    (reached) => progress(`Scoring ${candidates.length} candidates`, reached),
  );
  const isWhole = scores.length === candidates.length;
  if (!isWhole || !scores.some(({ status }) => status === 'scored')) {
    await told;
    return { dataset, scores, winner: null, outcome: null };
  }

  progress('Refitting the best on all trials');
  const { winner, report } = await refitBest(tools, request, data, scores, signal);
  await told;
  progress(`Activating ${winner.method.title}`);
  const outcome = await activated(tools, request, winner, async () => report, at).catch(async (error: unknown) => {
    if (error instanceof ApplicationFailure) throw error;
    tools.log?.warn('A fitted model could not be activated at once; it is tried again.', { job: jobId, error });
    await tools.objects.put(winner.reportRef, report);
    await deleteStaged(tools, request);
    return null;
  });
  return { dataset, scores, winner, outcome };
}

/** How an earlier attempt ended the job, which could not say so; null: it has not ended. */
async function endedBefore({ pool }: Pick<Tools, 'pool'>, { jobId }: FitRequest): Promise<FitOutcome | null> {
  const answer = Context.current().info.attempt > 1 ? await answerOf(pool, jobId) : null;
  return answer && { result: answer.status < 300 ? 'activated' : 'gone', status: answer.status };
}
