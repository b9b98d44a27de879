import { balancedAccuracy, decisions, trialLosses } from './scores.ts';
import { toleratedGap } from './selection.ts';
import { pairedError, trialWeights, weighted } from './trial-weights.ts';
import type { TrialWeights } from './trial-weights.ts';
import { fitTemperature } from './temperature.ts';

/** Log-scores of a candidate on the first fold. */
export interface FirstFold {
  readonly method: string;
  /** Log-scores [test trials × classes]. */
  readonly logScores: Float64Array;
}

/** A candidate that is not scored on the other folds (early elimination). */
export interface Dropped {
  readonly method: string;
  /** On the first fold. */
  readonly balancedAccuracy: number;
  readonly logLoss: number;
  /** The method with the lowest log-loss on the first fold. */
  readonly best: { readonly method: string; readonly logLoss: number };
  /** Largest log-loss behind the best method on the first fold at which a candidate is kept. */
  readonly bound: number;
}

/** A candidate that is this many standard errors behind on the first fold is not expected to catch up on the others. */
const sure = 2.5;
/** Number of candidates that a pool takes by their log-loss. */
const pooled = 5;
/** Least spread of the losses of a trial, nats: few trials that agree prove little. */
const leastSpread = 0.3;

/** Losses of trials after temperature scaling on the same trials, and their mean over classes. */
function calibrated(logScores: Float64Array, labels: Int32Array, classes: number, weighting: TrialWeights) {
  const { temperature } = fitTemperature(logScores, labels, classes);
  const losses = trialLosses(logScores, labels, classes, temperature);
  return { losses, loss: weighted(losses, weighting) };
}

/** Lower limit of the standard error of a difference of mean losses. */
const leastError = ({ weights }: TrialWeights): number => leastSpread * Math.hypot(...weights);

/**
 * Compares a candidate with the best of others on the same trials, each calibrated on them. Returns its log-loss behind
 * the best if that is more than `sure` standard errors of the paired difference, else null. `best`: index of the best.
 */
export function lagsBehind(
  logScores: Float64Array,
  others: readonly Float64Array[],
  labels: Int32Array,
  classes: number,
): { readonly behind: number; readonly bound: number; readonly best: number } | null {
  const weighting = trialWeights(labels, classes, null);
  const own = calibrated(logScores, labels, classes, weighting);
  const rated = others.map((scores) => calibrated(scores, labels, classes, weighting));
  const totals = rated.map(({ loss }) => loss);
  const best = totals.indexOf(Math.min(...totals.filter(Number.isFinite)));
  if (best < 0) return null;
  const bound = sure * Math.max(pairedError(own.losses, rated[best].losses, weighting), leastError(weighting));
  const behind = own.loss - totals[best];
  return behind > bound ? { behind, bound, best } : null;
}

/**
 * Candidates that cannot catch up, by the first of `folds`, which tests `labels`. Each is calibrated on that fold
 * itself, which makes it look better than it is. A candidate is dropped if it is behind the best by more than `bound`:
 * `sure` standard errors of the paired difference, plus the gap that `pick` tolerates for a well-established method. It
 * must also be `sure` standard errors behind the fifth best, so that no pool would take it.
 *
 * A dropped candidate would be chosen or pooled only if the other folds contradicted the first by that many standard
 * errors. This happens in about one of two hundred fits for a candidate on the edge, and never for most. So the choice
 * with dropping equals the choice without it, also in bootstrap samples and without a fold. The corrected score and the
 * p-value of the candidates that remain hold for all.
 */
export function candidatesToDrop(
  candidates: readonly FirstFold[],
  labels: Int32Array,
  classes: number,
  folds: number,
): Dropped[] {
  const weighting = trialWeights(labels, classes, null);
  const rated = candidates
    .map(({ method, logScores }) => ({ method, logScores, ...calibrated(logScores, labels, classes, weighting) }))
    .filter(({ loss }) => Number.isFinite(loss))
    .sort((a, b) => a.loss - b.loss);
  if (rated.length <= pooled) return [];
  const [best, fifth] = [rated[0], rated[pooled - 1]];
  const least = leastError(weighting);
  return rated.slice(pooled).flatMap(({ method, logScores, losses, loss }) => {
    const error = (than: Float64Array): number => Math.hypot(pairedError(losses, than, weighting), least);
    const behind = error(best.losses);
    const bound = sure * behind + toleratedGap(behind / Math.sqrt(folds));
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
