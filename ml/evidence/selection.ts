import type { CandidateScore, FoldPlan, Prior } from './types.ts';
import { decisions, labelSmoothing, passLosses, softmax, trialLosses, votesIn } from './scores.ts';
import { grid, leastLoss, lossTable } from './loss-table.ts';
import type { LossTable } from './loss-table.ts';
import { pairedError, trialWeights } from './trial-weights.ts';
import type { TrialWeights } from './trial-weights.ts';

/** The part of a candidate's evidence that `pick` reads. */
export interface Rated {
  readonly prior: Prior;
  /**
   * Log-loss of each trial at each temperature of a grid. The evidence passes together count one half, and so do the
   * passes that only help selection.
   */
  readonly losses: LossTable;
  /** Log-loss of each trial at the candidate's own temperature, averaged in the same way. */
  readonly ownLosses: Float64Array;
}

/** The part of a candidate's evidence that a pool reads. */
export interface Poolable extends Rated {
  /** Weight of each pass over the trials in a loss. The weights sum to 1. */
  readonly passWeights: readonly number[];
  /** Probabilities [trials × classes] of each pass at the temperature of that index in the grid. */
  probabilities(at: number): readonly Float64Array[];
}

/** One candidate's out-of-fold results for selection, bootstrap and permutation. */
export interface Evidence extends Poolable {
  readonly score: CandidateScore;
  /** For each fold of pass 0: results of fits that never saw it, NaN for its own trials. Empty without inner fits. */
  readonly inner: readonly Poolable[];
  /** Fraction of the evidence passes that predicted each class [trials × classes]. */
  readonly votes: Float64Array;
  /** As in `FoldPlan`. */
  readonly evidencePasses: number;
}

/**
 * Gathers a candidate's evidence from its out-of-fold log-scores: the loss of every trial, averaged over the passes,
 * and the fraction of passes that voted for each class.
 */
export function gatherEvidence(score: CandidateScore, labels: Int32Array, classes: number, plan: FoldPlan): Evidence {
  const size = labels.length * classes;
  const smoothing = labelSmoothing(labels.length);
  const pass = (p: number): Float64Array => score.outOfFold.subarray(p * size, (p + 1) * size);
  const extra = plan.passes - plan.evidencePasses;
  const weightOf = (p: number): number =>
    extra === 0 ? 1 / plan.evidencePasses : 0.5 / (p < plan.evidencePasses ? plan.evidencePasses : extra);
  const numbers = Array.from({ length: plan.passes }, (_, p) => p);
  const [passes, passWeights] = [numbers.map(pass), numbers.map(weightOf)];
  const lossesAt = (temperature: number): Float64Array => passLosses(passes, passWeights, labels, classes, temperature);
  const { nested } = score;
  const inner =
    nested === null
      ? []
      : Array.from({ length: nested.length / size }, (_, f) => {
          const own = nested.subarray(f * size, (f + 1) * size);
          const seen = Float64Array.from(labels, (_, i) => (Number.isNaN(own[i * classes]) ? 0 : 1));
          const weighting = trialWeights(labels, classes, seen);
          const losses = lossTable((temperature) => trialLosses(own, labels, classes, temperature, smoothing), 1);
          const { index } = leastLoss(losses, weighting);
          return {
            losses: { ...losses, start: index },
            ownLosses: losses.at(index),
            prior: score.prior,
            passWeights: [1],
            probabilities: probabilitiesOf([own], classes),
          };
        });
  return {
    score,
    prior: score.prior,
    losses: lossTable(lossesAt, score.temperature),
    ownLosses: lossesAt(score.temperature),
    passWeights,
    probabilities: probabilitiesOf(passes, classes),
    inner,
    votes: votesIn(
      passes.slice(0, plan.evidencePasses).map((own) => decisions(own, classes)),
      classes,
    ),
    evidencePasses: plan.evidencePasses,
  };
}

/** Probabilities of tables of log-scores at a temperature of the grid, cached by temperature. */
function probabilitiesOf(tables: readonly Float64Array[], classes: number): Poolable['probabilities'] {
  const known: (readonly Float64Array[])[] = [];
  return (at) => (known[at] ??= tables.map((table) => softmax(table, classes, grid[at])));
}

/** A choice from a (re)sample of trials. */
export interface Picked {
  readonly index: number;
  /** Class-balanced, calibrated log-loss of every candidate. */
  readonly losses: readonly number[];
  /** Index in the grid of the temperature that calibrates each. */
  readonly temperatures: readonly number[];
  /**
   * Expected log-loss of each above that of the candidate of least loss, by its trials and its prior; NaN for a
   * candidate that the trials show to be worse.
   */
  readonly expected: readonly number[];
}

/**
 * A candidate is out if its log-loss is higher by more than `nats` or `errors` standard errors, whatever its prior is.
 */
const tolerance = { nats: 0.2, errors: 2 };
/**
 * Largest log-loss in nats by which a candidate may be behind the best and still be picked, for the standard error of
 * their difference.
 */
export const toleratedGap = (error: number): number => Math.min(tolerance.nats, tolerance.errors * error);

/**
 * The candidate of least expected log-loss, calibrated and balanced over classes. Candidates are compared with the one
 * of least loss by the paired difference of their losses on the same trials, whose standard error is known. The
 * measured difference and that of the priors are combined as two normal estimates of one difference, each weighted by
 * the inverse of its variance (empirical Bayes: Efron & Morris 1975, J. Am. Stat. Assoc. 70). With few trials two
 * candidates are often nearly tied and the one that is better on other people wins. With many the trials decide alone.
 * `weighting`: weight of each trial.
 */
export function pick(candidates: readonly Rated[], weighting: TrialWeights): Picked {
  const least = candidates.map(({ losses: own }) => leastLoss(own, weighting));
  const losses = least.map(({ loss }) => loss);
  const best = losses.indexOf(Math.min(...losses));
  let index = Math.max(0, best);
  let lowest = 0;
  const expected = candidates.map((candidate, c) => {
    if (c === best) return 0;
    if (best < 0) return Number.NaN;
    const worse = losses[c] - losses[best];
    const error = pairedError(candidate.ownLosses, candidates[best].ownLosses, weighting);
    if (worse > toleratedGap(error)) return Number.NaN;
    const gap = expectedGap(worse, error, candidate.prior, candidates[best].prior);
    if (gap < lowest) {
      lowest = gap;
      index = c;
    }
    return gap;
  });
  return { index, losses, temperatures: least.map((own) => own.index), expected };
}

/** Mean of two normal estimates of a difference, that of the trials and that of the priors. */
function expectedGap(worse: number, error: number, own: Prior, other: Prior): number {
  const spread = own.sd ** 2 + other.sd ** 2;
  return (spread * worse + error ** 2 * (own.mean - other.mean)) / (spread + error ** 2);
}

/**
 * Balanced accuracy of votes [trials × classes] over the trials of weight above zero. A trial counts with the fraction
 * of its votes that are correct. NaN if a class is missing.
 */
export function votedAccuracy(...votes: Parameters<typeof votedRecalls>): number {
  const recalls = votedRecalls(...votes);
  let sum = 0;
  for (const recall of recalls) sum += recall;
  return sum / recalls.length;
}

/** Recall of each class from votes; see `votedAccuracy`. */
export function votedRecalls(
  votes: Float64Array,
  labels: Int32Array,
  classes: number,
  weights: Float64Array | Uint8Array | null = null,
): Float64Array {
  const hit = new Float64Array(classes);
  const all = new Float64Array(classes);
  for (let i = 0; i < labels.length; i += 1) {
    const weight = weights ? weights[i] : 1;
    if (weight === 0) continue;
    all[labels[i]] += weight;
    hit[labels[i]] += weight * votes[i * classes + labels[i]];
  }
  for (let k = 0; k < classes; k += 1) hit[k] /= all[k];
  return hit;
}
