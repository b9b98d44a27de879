import type { CandidateScore, FoldPlan } from './types.ts';
import { decisions, doubtOf, softmax, trialLosses } from './scores.ts';
import { grid, leastLoss, lossTable } from './loss-table.ts';
import type { LossTable } from './loss-table.ts';

/** What `pick` reads of a candidate. */
export type Rated = Pick<Evidence, 'losses' | 'ownLosses' | 'publishedDisadvantage'>;

/** What a pool reads of a candidate besides. */
export interface Poolable extends Rated {
  /** How much each pass over the trials counts in a loss; they sum to 1. */
  readonly passWeights: readonly number[];
  /** Probabilities [trials × classes] of each pass at the temperature of that index in the grid. */
  probabilities(at: number): readonly Float64Array[];
}

/** One candidate's out-of-fold results in the form that selection, bootstrap and permutation read. */
export interface Evidence extends Poolable {
  readonly score: CandidateScore;
  /** As in `CandidateScore`. */
  readonly publishedDisadvantage: number;
  /**
   * Log-loss of each trial at each temperature of a grid: evidence passes and the passes that only help selection
   * count half each.
   */
  readonly losses: LossTable;
  /** Log-loss of each trial at the candidate's own temperature, averaged in the same way. */
  readonly ownLosses: Float64Array;
  /** Per fold of pass 0, the results of fits that never saw it: NaN for its own trials. Empty without inner fits. */
  readonly inner: readonly Poolable[];
  /** Share of the evidence passes that predicted each class [trials × classes]. */
  readonly votes: Float64Array;
  /** As in `FoldPlan`. */
  readonly evidencePasses: number;
}

/**
 * Gathers what choosing reads of a candidate from its out-of-fold log-scores: the loss of every trial, averaged over
 * the passes, and the share of passes that voted for each class.
 */
export function gatherEvidence(score: CandidateScore, labels: Int32Array, classes: number, plan: FoldPlan): Evidence {
  const size = labels.length * classes;
  const doubt = doubtOf(labels.length);
  const pass = (p: number): Float64Array => score.outOfFold.subarray(p * size, (p + 1) * size);
  const votes = new Float64Array(size);
  for (let p = 0; p < plan.evidencePasses; p += 1) {
    decisions(pass(p), classes).forEach((k, i) => {
      if (k >= 0) votes[i * classes + k] += 1 / plan.evidencePasses;
    });
  }
  const extra = plan.passes - plan.evidencePasses;
  const weightOf = (p: number): number =>
    extra === 0 ? 1 / plan.evidencePasses : 0.5 / (p < plan.evidencePasses ? plan.evidencePasses : extra);
  const lossesAt = (temperature: number): Float64Array => {
    const sum = new Float64Array(labels.length);
    for (let p = 0; p < plan.passes; p += 1)
      trialLosses(pass(p), labels, classes, temperature, doubt).forEach((loss, i) => (sum[i] += weightOf(p) * loss));
    return sum;
  };
  const { nested } = score;
  const inner =
    nested === null
      ? []
      : Array.from({ length: nested.length / size }, (_, f) => {
          const own = nested.subarray(f * size, (f + 1) * size);
          const seen = Float64Array.from(labels, (_, i) => (Number.isNaN(own[i * classes]) ? 0 : 1));
          const share = shares(labels, classes, seen);
          const losses = lossTable((temperature) => trialLosses(own, labels, classes, temperature, doubt), 1);
          const { index } = leastLoss(losses, (at) => weighted(at, share), counted(share));
          return {
            losses: { ...losses, start: index },
            ownLosses: losses.at(index),
            publishedDisadvantage: score.publishedDisadvantage,
            passWeights: [1],
            probabilities: probabilitiesOf([own], classes),
          };
        });
  const passes = Array.from({ length: plan.passes }, (_, p) => p);
  return {
    score,
    publishedDisadvantage: score.publishedDisadvantage,
    losses: lossTable(lossesAt, score.temperature),
    ownLosses: lossesAt(score.temperature),
    passWeights: passes.map(weightOf),
    probabilities: probabilitiesOf(passes.map(pass), classes),
    inner,
    votes,
    evidencePasses: plan.evidencePasses,
  };
}

/** Probabilities of tables of log-scores at a temperature of the grid, computed once for each that is asked for. */
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
}

/**
 * How far, in nats, a candidate's log-loss on one person's trials typically strays from what was published of it: the
 * weight of the evidence.
 */
const stray = 0.05;
/**
 * A candidate whose log-loss is higher by more than this many strays, or this many standard errors, is out, whatever
 * was published of it.
 */
const bearable = { strays: 4, errors: 2 };
/** Nats by which a candidate may lie behind the best and still be picked, by the standard error of their difference. */
export const bears = (error: number): number => Math.min(bearable.strays * stray, bearable.errors * error);
/** Nats of expected log-loss per unit of `publishedDisadvantage`. */
const natsPerUnit = 0.01;

/**
 * The candidate of least expected log-loss, calibrated and balanced over classes. Candidates are compared with the one
 * of least loss by the paired difference of their losses on the same trials, whose standard error is known. What the
 * trials say is weighed against what was published (`publishedDisadvantage`) as two normal estimates of one difference,
 * each by the inverse of its variance (Gelman et al. 2013, Bayesian Data Analysis, section 2.5). With few trials two
 * candidates are often nearly tied and the established one wins; with many the trials decide alone. `weights`: how
 * often a bootstrap sample drew each trial; null counts each once.
 */
export function pick(
  candidates: readonly Rated[],
  labels: Int32Array,
  classes: number,
  weights: Float64Array | null,
): Picked {
  const share = shares(labels, classes, weights);
  const trials = counted(share);
  const least = candidates.map(({ losses: own }) => leastLoss(own, (at) => weighted(at, share), trials));
  const losses = least.map(({ loss }) => loss);
  const best = losses.indexOf(Math.min(...losses));
  let index = Math.max(0, best);
  let lowest = 0;
  candidates.forEach((candidate, c) => {
    if (c === best || best < 0) return;
    const worse = losses[c] - losses[best];
    const error = pairedError(candidate.ownLosses, candidates[best].ownLosses, share);
    if (worse > bears(error)) return;
    const known = natsPerUnit * (candidate.publishedDisadvantage - candidates[best].publishedDisadvantage);
    const expected = (stray ** 2 * worse + error ** 2 * known) / (stray ** 2 + error ** 2);
    if (expected < lowest) {
      lowest = expected;
      index = c;
    }
  });
  return { index, losses, temperatures: least.map((own) => own.index) };
}

/** Weight of each trial in a mean over classes of the mean over their trials. */
export function shares(labels: Int32Array, classes: number, weights: Float64Array | null): Float64Array {
  const totals = new Float64Array(classes);
  for (let i = 0; i < labels.length; i += 1) totals[labels[i]] += weights ? weights[i] : 1;
  const present = totals.reduce((count, total) => count + (total > 0 ? 1 : 0), 0);
  const share = new Float64Array(labels.length);
  for (let i = 0; i < labels.length; i += 1) share[i] = (weights ? weights[i] : 1) / (totals[labels[i]] * present || 1);
  return share;
}

/** How many trials have a weight above zero. */
export const counted = (share: Float64Array): number => share.reduce((sum, own) => sum + (own > 0 ? 1 : 0), 0);

/** Sum of the values by their weights; where a weight is 0 the value is not looked at. */
export function weighted(values: Float64Array, share: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i += 1) if (share[i] > 0) sum += share[i] * values[i];
  return sum;
}

/** Standard error of the weighted mean difference of two candidates on the same trials. */
export function pairedError(a: Float64Array, b: Float64Array, share: Float64Array): number {
  let mean = 0;
  for (let i = 0; i < a.length; i += 1) if (share[i] > 0) mean += share[i] * (a[i] - b[i]);
  let square = 0;
  for (let i = 0; i < a.length; i += 1) {
    if (!(share[i] > 0)) continue;
    const deviation = share[i] * (a[i] - b[i] - mean);
    square += deviation * deviation;
  }
  return Math.sqrt(square);
}

/**
 * Balanced accuracy of votes [trials × classes], a trial counting with the share of its votes that are right, over the
 * trials of weight above zero. NaN where a class is missing.
 */
export function votedAccuracy(
  votes: Float64Array,
  labels: Int32Array,
  classes: number,
  weights: Float64Array | Uint8Array | null = null,
): number {
  const hit = new Float64Array(classes);
  const all = new Float64Array(classes);
  for (let i = 0; i < labels.length; i += 1) {
    const weight = weights ? weights[i] : 1;
    if (weight === 0) continue;
    all[labels[i]] += weight;
    hit[labels[i]] += weight * votes[i * classes + labels[i]];
  }
  let sum = 0;
  for (let k = 0; k < classes; k += 1) sum += hit[k] / all[k];
  return sum / classes;
}
