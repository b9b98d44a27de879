import { matrixOf } from '../matrix.ts';
import { takeRows, valuesAt } from '../rows.ts';
import { innerParts, partOfEach } from './inner-parts.ts';
import { balancedWeights, decideLinear } from './linear.ts';
import type { LinearHead } from './linear.ts';
import { fitLogistic } from './logistic.ts';
import type { SpectralBasis } from './spectral-basis.ts';

/** Inverse penalties tried, per unit of the mean squared length of a centred trial. */
const strengths: readonly number[] = [0.03, 0.1, 0.3, 1, 3, 10, 30];
/** Candidates with `offsets`. The lowest ones hardly change the other model's log-scores. */
const besideOffsets: readonly number[] = [0.003, 0.03, 0.3, 3];
/** Above these sizes (trials × rank), or with more than two classes (trials × rank × classes), one split is enough. */
const large = { trials: 60_000, weights: 400_000 };

/** Tolerance of the fits that only compare values of C. */
const coarse = 1e-3;

/**
 * Logistic regression whose C has the least log-loss in a cross-validation inside the training trials (trial i of a
 * class is in part i mod 4). All fits share one spectral basis and each starts from the solution for the C before it.
 *
 * @param labels Class of each trial, an index below `classes`.
 * @param offsets As in `LogisticOptions`.
 */
export function fitTunedLogistic(
  basis: SpectralBasis,
  labels: Int32Array,
  classes: number,
  offsets?: Float64Array,
): LinearHead {
  const typical = basis.power.reduce((a, b) => a + b, 0) / basis.trials;
  const sample: Sample = { labels, classes, parts: partOfEach(labels, classes), ...(offsets && { offsets }) };
  const numbers = basis.trials * basis.rank;
  const used = numbers > large.trials || (classes > 2 && numbers * classes > large.weights) ? 1 : innerParts;
  const cs = (offsets ? besideOffsets : strengths).map((strength) => strength / Math.max(typical, 1e-300));
  const losses = cs.map(() => 0);
  for (let p = 0; p < used; p += 1) heldOutLosses(basis, sample, p, cs).forEach((loss, at) => (losses[at] += loss));
  const c = cs[Math.max(0, losses.indexOf(Math.min(...losses)))];
  return fitLogistic(basis, labels, classes, {
    c,
    weights: balancedWeights(labels, classes),
    ...(offsets && { offsets }),
  });
}

interface Sample {
  readonly labels: Int32Array;
  readonly classes: number;
  /** Part of the cross-validation of each trial. */
  readonly parts: Int32Array;
  readonly offsets?: Float64Array;
}

/** Sum of the log-losses of the trials of the held-out part at each C, all classes weighted to the same total. */
function heldOutLosses(
  basis: SpectralBasis,
  { labels, classes, parts, offsets }: Sample,
  heldOut: number,
  cs: readonly number[],
): number[] {
  const balance = balancedWeights(labels, classes);
  const [trained, tested] = [true, false].map((training) => rowsOf(parts, heldOut, training));
  const own = inBasis(basis, trained);
  const ownLabels = valuesAt(labels, trained);
  const weights = takeRows(balance, 1, trained);
  const scores = takeRows(basis.scores.data, basis.rank, tested);
  const expected = valuesAt(labels, tested);
  const testWeights = takeRows(balance, 1, tested);
  const [before, beside] = [trained, tested].map((rows) => offsets && takeRows(offsets, classes, rows));
  let start: LinearHead | undefined;
  return cs.map((c) => {
    start = fitLogistic(own, ownLabels, classes, {
      c,
      weights,
      tolerance: coarse,
      ...(start && { start }),
      ...(before && { offsets: before }),
    });
    const decided = decideLinear(start, scores);
    if (beside) for (let i = 0; i < decided.length; i += 1) decided[i] += beside[i];
    return lossesOf(decided, expected, classes, testWeights);
  });
}

/** The training trials, outside the held-out part, or the trials of that part. */
function rowsOf(parts: Int32Array, heldOut: number, training: boolean): Int32Array {
  const rows: number[] = [];
  for (let i = 0; i < parts.length; i += 1) if ((parts[i] !== heldOut) === training) rows.push(i);
  return Int32Array.from(rows);
}

/** Weighted sum of the log-losses of log-scores [trials × classes]. */
function lossesOf(logScores: Float64Array, labels: Int32Array, classes: number, weights: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < labels.length; i += 1) sum += weights[i] * lossOf(logScores, i * classes, classes, labels[i]);
  return sum;
}

function lossOf(logScores: Float64Array, at: number, classes: number, label: number): number {
  let top = -Infinity;
  for (let k = 0; k < classes; k += 1) top = Math.max(top, logScores[at + k]);
  let sum = 0;
  for (let k = 0; k < classes; k += 1) sum += Math.exp(logScores[at + k] - top);
  return Math.log(sum) + top - logScores[at + label];
}

/** Some trials, with their coordinates in the basis as features. Weights stay in these coordinates. */
const inBasis = (basis: SpectralBasis, rows: Int32Array): SpectralBasis => ({
  ...basis,
  trials: rows.length,
  scores: matrixOf(takeRows(basis.scores.data, basis.rank, rows), basis.rank, rows.length),
  power: basis.power.map((power) => (power * rows.length) / basis.trials),
  dimension: basis.rank,
  mean: new Float64Array(basis.rank),
  lift: (coefficients) => coefficients,
});
