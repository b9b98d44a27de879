import { ApplicationFailure } from '@temporalio/common';
import type { FitRequest } from '../../infra/contract/fit-request.ts';
import { fewestPerClass } from '../../ml/train/index.ts';
import type { JobData } from '../compute/job-data.ts';
import type { Tools } from '../tools.ts';
import type { FitEnded, Scored } from '../activities.ts';
import { earlierDetails, type Report } from '../with-heartbeats.ts';
import { activateModel } from './activate-model.ts';
import { extractFeatures } from './extract-features.ts';
import { finalFailure } from './final-failure.ts';
import { createScoreCache } from './score-cache.ts';
import { createProgressLog } from './progress-log.ts';
import { refitBest } from './refit-best.ts';
import { scoreCandidates, type FitProgress } from './score-candidates.ts';
import { storeLater } from './store-later.ts';

/** Most fits end sooner and store neither features nor scores. */
const usuallyStoresAfterMs = 5_000;

const atBeginning: FitProgress = { ended: [], dropped: false };

interface Attempt {
  readonly signal: AbortSignal;
  readonly report: Report;
  /** As in `ScoringJob`. */
  readonly isLast: boolean;
}

/**
 * Extracts features, scores all candidates, refits the best and stores the answer. Heartbeats carry `FitProgress` and
 * the current step. After `storesAfterMs`, or when an attempt fails, the features are stored and the staged signal is
 * deleted. From then on heartbeats name the candidates whose scores are stored, and the next attempt continues from
 * them. The features are stored first because a second extraction may give slightly different numbers.
 */
export async function fitTrials(
  tools: Tools,
  request: FitRequest,
  at: number,
  { signal, report, isLast }: Attempt,
): Promise<FitEnded> {
  const { objects, pool, storesAfterMs = usuallyStoresAfterMs } = tools;
  const { candidates, featureSets, jobId } = request;
  let reached: FitProgress = { ...atBeginning, ...(earlierDetails() as Partial<FitProgress> | null | undefined) };
  const began = performance.now();
  let doing = `Extracting ${featureSets.length} feature sets`;
  report({ ...reached, doing });
  const { data, found, store } = await extractFeatures(tools, request, signal);
  if (!found) reached = atBeginning;

  await using scores = createScoreCache(objects);
  const reportReached = (): void => {
    if (found || features.isStored) report({ ...reached, doing }, scores.store);
    else report({ ...atBeginning, doing });
  };
  const leftMs = Math.max(0, storesAfterMs - (performance.now() - began));
  await using features = storeLater(found ? 0 : leftMs, store, reportReached);
  const begin = (step: string): void => {
    doing = step;
    reportReached();
  };
  using progress = createProgressLog(pool, jobId);
  const job = { request, data, scores, progress, signal, isLast };
  try {
    begin(`Scoring ${candidates.length} candidates`);
    const all = await scoreCandidates(tools, job, reached, (now) => {
      reached = now;
      reportReached();
    });
    const progressWritten = progress.end();
    progressWritten.catch(() => undefined);
    if (!all.some(({ status }) => status === 'scored')) {
      await Promise.allSettled([progressWritten]);
      throw noneFitted(all, data);
    }

    begin('Refitting the best on all trials');
    const fitted = await refitBest(tools, job, all);
    await progressWritten;
    begin(`Activating ${fitted.method.title}`);
    logCost(all);
    return { outcome: await activateModel(tools, request, fitted, at), method: fitted.method.title, scores: all };
  } catch (error) {
    const isFinal = error instanceof ApplicationFailure && error.nonRetryable;
    if (!signal.aborted && !isFinal) await storeForNextAttempt().catch(() => undefined);
    throw error;
  }

  /** Logs the estimated and the measured time, so that operators see which estimates are wrong. */
  function logCost(all: readonly Scored[]): void {
    const { modelId: model, bytes, cpuSeconds } = request;
    const took = all.reduce((sum, { seconds }) => sum + (seconds ?? 0), 0);
    tools.log?.info(
      `A model was fitted on ${data.training.features.trials} trials in ${secondsSince(began)} s. Its ` +
        `${candidates.length} candidates took ${took.toFixed(1)} s. Estimated: ${Math.ceil(cpuSeconds)} s of processor ` +
        `time and ${Math.ceil(bytes / 1024 ** 2)} MiB.`,
      { model, job: jobId },
    );
  }

  async function storeForNextAttempt(): Promise<void> {
    await features.store();
    await scores.store();
    report({ ...reached, doing });
  }
}

const secondsSince = (began: number): string => ((performance.now() - began) / 1000).toFixed(1);

/** The message goes through Temporal, so it contains counts and no label. */
const noneFitted = (scores: readonly Scored[], { training }: JobData): ApplicationFailure =>
  finalFailure({
    code: 'CLASSIFIER_FIT_FAILED',
    message:
      `None of the ${scores.length} methods could be fitted on these trials; nothing was charged. ` +
      `The ${training.classes.length} classes have ${fewestPerClass(training)}.`,
    reasons: scores.map(({ title, reason }) => ({ method: title, reason: reason ?? 'no reason given' })),
  });
