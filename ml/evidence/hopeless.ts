import { balancedAccuracy, decisions, trialLosses } from './scores.ts';
import { bears } from './selection.ts';
import { pairedError, trialWeights, weighted } from './trial-weights.ts';
import type { TrialWeights } from './trial-weights.ts';
import { fitTemperature } from './temperature.ts';

/** What a candidate decided on the first fold alone. */
export interface FirstFold {
  readonly method: string;
  /** Log-scores [test trials × classes]. */
  readonly logScores: Float64Array;
}

/** A candidate that is not scored on the other folds. */
export interface Dropped {
  readonly method: string;
  /** Of the first fold. */
  readonly balancedAccuracy: number;
  readonly logLoss: number;
  /** Method of least log-loss on the first fold, and its log-loss. */
  readonly best: { readonly method: string; readonly logLoss: number };
  /** Log-loss by which it may lie behind the best on the first fold. */
  readonly bound: number;
}

/** Standard errors of a difference on the first fold that the other folds are not expected to make up for. */
const sure = 2.5;
/** Candidates that a pool takes by their log-loss. */
const pooled = 5;
/** Nats by which the losses of a trial are taken to differ at least: few trials that agree prove little. */
const leastSpread = 0.3;

/** Losses of trials by log-scores that are calibrated on the same trials, and their mean over classes. */
function calibrated(logScores: Float64Array, labels: Int32Array, classes: number, share: TrialWeights) {
  const { temperature } = fitTemperature(logScores, labels, classes);
  const losses = trialLosses(logScores, labels, classes, temperature);
  return { losses, loss: weighted(losses, share) };
}

/** The least standard error of a difference of mean losses. */
const leastError = ({ weights }: TrialWeights): number => leastSpread * Math.hypot(...weights);

/**
 * By how much a candidate lies behind the best of others on the same trials, each calibrated on them, where that is
 * more than `sure` standard errors of the paired difference; else null. `best`: which of the others.
 */
export function lagsBehind(
  logScores: Float64Array,
  others: readonly Float64Array[],
  labels: Int32Array,
  classes: number,
): { readonly behind: number; readonly bound: number; readonly best: number } | null {
  const share = trialWeights(labels, classes, null);
  const own = calibrated(logScores, labels, classes, share);
  const rated = others.map((scores) => calibrated(scores, labels, classes, share));
  const totals = rated.map(({ loss }) => loss);
  const best = totals.indexOf(Math.min(...totals.filter(Number.isFinite)));
  if (best < 0) return null;
  const bound = sure * Math.max(pairedError(own.losses, rated[best].losses, share), leastError(share));
  const behind = own.loss - totals[best];
  return behind > bound ? { behind, bound, best } : null;
}

/**
 * Candidates that cannot catch up, by the first of `folds`, which tests `labels`. Each is calibrated on that fold
 * itself, which flatters it. One is dropped where it lies behind the best by more than `bound`: `sure` standard errors
 * of the paired difference, and besides what `pick` bears of a candidate that is well established. It must also lie
 * behind the fifth best by `sure` standard errors, so that no pool would take it.
 *
 * A candidate that is dropped so would be chosen, or pooled, only if the other folds contradicted the first by that
 * many standard errors: in about one of two hundred fits for one that is on the edge, and never for most. So the choice
 * with dropping is the choice without it, and so are its repetitions in bootstrap samples and without a fold: the
 * corrected score and the p-value of the candidates that are left hold for all.
 */
export function hopeless(
  candidates: readonly FirstFold[],
  labels: Int32Array,
  classes: number,
  folds: number,
): Dropped[] {
  const share = trialWeights(labels, classes, null);
  const rated = candidates
    .map(({ method, logScores }) => ({ method, logScores, ...calibrated(logScores, labels, classes, share) }))
    .filter(({ loss }) => Number.isFinite(loss))
    .sort((a, b) => a.loss - b.loss);
  if (rated.length <= pooled) return [];
  const [best, fifth] = [rated[0], rated[pooled - 1]];
  const least = leastError(share);
  return rated.slice(pooled).flatMap(({ method, logScores, losses, loss }) => {
    const error = (than: Float64Array): number => Math.hypot(pairedError(losses, than, share), least);
    const behind = error(best.losses);
    const bound = sure * behind + bears(behind / Math.sqrt(folds));
    if (loss - best.loss <= bound || loss - fifth.loss <= sure * error(fifth.losses)) return [];
    return [
      {
        method,
        balancedAccuracy: balancedAccuracy(decisions(logScores, classes), labels, classes),
        logLoss: loss,
        best: { method: best.method, logLoss: best.loss },
        bound,
      },
    ];
  });
}
