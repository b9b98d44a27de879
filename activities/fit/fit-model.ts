import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { FitOutcome, FitRequest } from '../../infra/contract/fit-request.ts';
import { isStoreUnavailable } from '../../infra/drivers/objects/index.ts';
import { isUnreachable } from '../../infra/drivers/postgres/index.ts';
import { answerOf } from '../../infra/records/fit-jobs/fit-jobs.ts';
import type { Tools } from '../tools.ts';
import type { Activities, FitEnd, FitFailure, Scored } from '../types.ts';
import { earlierDetails, withHeartbeats, type Heartbeats } from '../with-heartbeats.ts';
import { removeUnwanted } from './abandon-fit.ts';
import { activate, cleanUpFitted } from './activate-model.ts';
import { adoptReference } from './adopt-reference.ts';
import { extractFeatures } from './extract-features.ts';
import { refitBest } from './refit-best.ts';
import { nothingScored, scoreCandidates, type Scoring } from './score-candidates.ts';
import { storeLater } from './store-later.ts';
import { createUnstoredScores } from './unstored-scores.ts';

/** Most fits end sooner, and store neither features nor scores. */
const usuallyStoresAfterMs = 5_000;

/**
 * Attempts, not counting those that an outage of Postgres or the object store ended: Temporal repeats these until the
 * activity times out. From `lastTry` on a candidate that the service could not score counts as failed.
 */
const [mostTries, lastTry] = [5, 3];

/** Details of a heartbeat: an attempt continues from those of the one before, and the Temporal UI shows them. */
interface Progress extends Scoring {
  readonly doing: string;
  /** Attempts that an outage ended. */
  readonly outages: number;
}

const atBeginning: Progress = { ...nothingScored, doing: 'Beginning', outages: 0 };

/**
 * A whole fit in one activity: features, all candidates, the best refitted, the answer. Once it has run for
 * `storesAfterMs` its features are stored, and from then on heartbeats name the candidates whose scores are stored.
 * Another attempt continues from them. Features come first, because they may differ when they are extracted again; until
 * they are stored the staged signal stays. Idempotent; if the job was ended without a model meanwhile, nothing stays
 * stored.
 */
export function createFitModel(tools: Tools): Activities['fitModel'] {
  return ({ request, at }) =>
    withHeartbeats(async (signal, heartbeats) => {
      const earlier = await endedBefore(tools, request);
      if (earlier) {
        await cleanUpFitted(tools, request, earlier);
        return { scores: [], title: null, outcome: earlier, failure: null };
      }
      let progress: Progress = { ...atBeginning, ...(earlierDetails() as Progress | undefined) };
      const tries = Context.current().info.attempt - progress.outages;
      if (tries > mostTries) throw failedOnTheService();
      const report: Heartbeats['report'] = (details, store) => {
        progress = details as Progress;
        heartbeats.report(details, store);
      };
      let isActivated = false;
      try {
        const { source } = request;
        const end = await ('reference' in source
          ? adopted(tools, request, source.reference, at, signal)
          : fitted(tools, request, at, { from: progress, isLastTry: tries >= lastTry }, signal, report));
        isActivated = end.outcome?.result === 'activated';
        if (end.outcome) await cleanUpFitted(tools, request, end.outcome);
        return end;
      } catch (error) {
        if (isUnreachable(error) || isStoreUnavailable(error))
          heartbeats.report({ ...progress, outages: progress.outages + 1 });
        throw error;
      } finally {
        if (!isActivated)
          await removeUnwanted(tools, request).catch((error: unknown) =>
            tools.log?.warn('Objects of an ended fit could not be removed; the reconciler removes them.', {
              job: request.jobId,
              error,
            }),
          );
      }
    });
}

/** How an earlier attempt ended the job, whose answer did not reach Temporal; null: the job has not ended. */
async function endedBefore({ pool }: Pick<Tools, 'pool'>, { jobId }: FitRequest): Promise<FitOutcome | null> {
  const answer = Context.current().info.attempt > 1 ? await answerOf(pool, jobId) : null;
  return answer && { result: answer.status < 300 ? 'activated' : 'gone', status: answer.status };
}

/** Nothing is scored or fitted: the fit on reference recordings becomes the model. */
async function adopted(
  tools: Tools,
  request: FitRequest,
  reference: string,
  at: number,
  signal: AbortSignal,
): Promise<FitEnd> {
  const { winner, report } = await adoptReference(tools, request, reference, signal);
  const outcome = await activate(tools, request, winner, report, at);
  return { scores: [], title: winner.method.title, outcome, failure: null };
}

async function fitted(
  { recent, storesAfterMs = usuallyStoresAfterMs, ...others }: Tools,
  request: FitRequest,
  at: number,
  { from, isLastTry }: { readonly from: Progress; readonly isLastTry: boolean },
  signal: AbortSignal,
  send: Heartbeats['report'],
): Promise<FitEnd> {
  const began = performance.now();
  const { candidates, featureSets } = request;
  await using unstored = createUnstoredScores(recent);
  const tools = { ...others, recent: unstored };
  let progress: Progress = { ...from, doing: `Extracting ${featureSets.length} feature sets` };
  send(progress);
  const { data, found, store, forget } = await extractFeatures(tools, request, signal);
  if (!found) progress = { ...progress, ...nothingScored };
  const sendProgress = (): void => {
    if (found || features.isStored) send(progress, unstored.store);
    else send({ ...progress, ...nothingScored });
  };
  const report = (doing: string, scoring: Scoring = progress): void => {
    progress = { ...progress, ...scoring, doing };
    sendProgress();
  };
  const leftMs = Math.max(0, storesAfterMs - (performance.now() - began));
  await using features = storeLater(found ? 0 : leftMs, store, sendProgress);
  try {
    const { scores, logged } = await scoreCandidates(
      tools,
      request,
      data,
      { from: progress, isLastTry },
      signal,
      (now) => report(`Scoring ${candidates.length} candidates`, now),
    );
    if (!scores.some(({ status }) => status === 'scored')) {
      await logged;
      return { scores, title: null, outcome: null, failure: noneScored(scores) };
    }
    report('Refitting the best on all trials');
    const { winner, report: trainingReport } = await refitBest(tools, request, data, scores, signal);
    await logged;
    report(`Activating ${winner.method.title}`);
    const outcome = await activate(tools, request, winner, trainingReport, at);
    return { scores, title: winner.method.title, outcome, failure: null };
  } catch (error) {
    // A later attempt continues from the stored features. If they are not stored it makes its own, which may differ: then
    // this process must not remember these.
    if (signal.aborted || isFinal(error)) forget();
    else
      await Promise.all([features.store(), unstored.store()]).then(
        () => send(progress),
        () => {
          forget();
          send({ ...progress, ...nothingScored });
        },
      );
    throw error;
  }
}

const isFinal = (error: unknown): boolean => error instanceof ApplicationFailure && error.nonRetryable === true;

const failedOnTheService = (): ApplicationFailure =>
  ApplicationFailure.create({
    type: 'BACKEND_FAILURE',
    message: 'The fit failed on the service side and nothing was charged. Send the request again.',
    nonRetryable: true,
  });

function noneScored(scores: readonly Scored[]): FitFailure {
  const reasons = scores.map(({ title, reason }) => ({ method: title, reason: reason ?? 'no reason given' }));
  return scores.length > 0 && scores.every(({ fault }) => fault)
    ? {
        code: 'BACKEND_FAILURE',
        message: 'No method could be scored on the service side; nothing was charged. Send the request again.',
        reasons,
      }
    : {
        code: 'CLASSIFIER_FIT_FAILED',
        message: `None of the ${scores.length} methods could be fitted on these trials; nothing was charged.`,
        reasons,
      };
}
