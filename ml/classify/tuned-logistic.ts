import { takeRows, valuesAt } from '../rows.ts';
import { innerParts, partOfEach } from './inner-parts.ts';
import { balancedWeights, decideLinear } from './linear.ts';
import type { LinearHead } from './linear.ts';
import { fitLogistic } from './logistic.ts';
import type { SpectralBasis } from './spectral-basis.ts';

/** Inverse penalties tried, per unit of the mean squared length of a centred trial. */
const strengths: readonly number[] = [0.03, 0.1, 0.3, 1, 3, 10, 30];
/** Numbers (trials × rank), and with those of each class, above which one split stands for all. */
const large = { trials: 60_000, weights: 400_000 };

/** Where the search ends in a fit that only tells one C from another. */
const coarse = 1e-3;

/**
 * Logistic regression whose C has the least log-loss in a cross-validation inside the training trials (trial i in part
 * i mod 4 of its class). All fits share one spectral basis, and each C begins where the one before it ended, so that
 * they cost little.
 */
export function fitTunedLogistic(basis: SpectralBasis, labels: Int32Array, classes: number): LinearHead {
  const typical = basis.power.reduce((a, b) => a + b, 0) / basis.trials;
  const part = partOfEach(labels, classes);
  const numbers = basis.trials * basis.rank;
  const used = numbers > large.trials || (classes > 2 && numbers * classes > large.weights) ? 1 : innerParts;
  const cs = strengths.map((strength) => strength / Math.max(typical, 1e-300));
  const losses = cs.map(() => 0);
  for (let p = 0; p < used; p += 1)
    heldOutLosses(basis, labels, classes, part, p, cs).forEach((loss, at) => (losses[at] += loss));
  const c = cs[Math.max(0, losses.indexOf(Math.min(...losses)))];
  return fitLogistic(basis, labels, classes, { c, weights: balancedWeights(labels, classes) });
}

/** Sum over held-out trials of their log-loss at each C, classes weighted alike. */
function heldOutLosses(
  basis: SpectralBasis,
  labels: Int32Array,
  classes: number,
  part: Int32Array,
  held: number,
  cs: readonly number[],
): number[] {
  const balance = balancedWeights(labels, classes);
  const [trained, tested] = [true, false].map((inside) => rowsOf(part, held, inside));
  const own = inBasis(basis, trained);
  const ownLabels = valuesAt(labels, trained);
  const weights = takeRows(balance, 1, trained);
  const scores = takeRows(basis.scores, basis.rank, tested);
  const wanted = valuesAt(labels, tested);
  const owed = takeRows(balance, 1, tested);
  let start: LinearHead | undefined;
  return cs.map((c) => {
    start = fitLogistic(own, ownLabels, classes, { c, weights, tolerance: coarse, ...(start && { start }) });
    return lossesOf(decideLinear(start, scores), wanted, classes, owed);
  });
}

/** Trials outside the part that is held out (`inside` the fit), or those in it. */
function rowsOf(part: Int32Array, held: number, inside: boolean): Int32Array {
  const rows: number[] = [];
  for (let i = 0; i < part.length; i += 1) if ((part[i] !== held) === inside) rows.push(i);
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

/** Some trials in the same basis with its own coordinates as features: weights stay in it. */
const inBasis = (basis: SpectralBasis, rows: Int32Array): SpectralBasis => ({
  ...basis,
  trials: rows.length,
  scores: takeRows(basis.scores, basis.rank, rows),
  power: basis.power.map((power) => (power * rows.length) / basis.trials),
  dimension: basis.rank,
  mean: new Float64Array(basis.rank),
  lift: (coefficients) => coefficients,
});
