import { innerParts, partOfEach } from './inner-parts.ts';
import { balancedWeights } from './linear.ts';
import type { LinearHead } from './linear.ts';
import { fitLogistic } from './logistic.ts';
import type { SpectralBasis } from './spectral-basis.ts';

/** Inverse penalties tried, per unit of the mean squared length of a centred trial. */
const strengths: readonly number[] = [0.03, 0.1, 0.3, 1, 3, 10, 30];
/** Numbers (trials × rank) above which one split stands for all. */
const large = 60_000;

/**
 * Logistic regression whose C has the least log-loss in a cross-validation inside the training trials (trial i in part
 * i mod 4 of its class). All fits share one spectral basis, and so cost little.
 */
export function fitTunedLogistic(basis: SpectralBasis, labels: Int32Array, classes: number): LinearHead {
  const typical = basis.power.reduce((a, b) => a + b, 0) / basis.trials;
  const part = partOfEach(labels, classes);
  const used = basis.trials * basis.rank > large ? 1 : innerParts;
  let best = { loss: Infinity, c: 1 };
  for (const strength of strengths) {
    const c = strength / Math.max(typical, 1e-300);
    let loss = 0;
    for (let p = 0; p < used; p += 1) loss += heldOutLoss(basis, labels, classes, part, p, c);
    if (loss < best.loss) best = { loss, c };
  }
  return fitLogistic(basis, labels, classes, { c: best.c, weights: balancedWeights(labels, classes) });
}

/** Sum over held-out trials of their log-loss, classes weighted alike. */
function heldOutLoss(
  basis: SpectralBasis,
  labels: Int32Array,
  classes: number,
  part: Int32Array,
  held: number,
  c: number,
): number {
  const balance = balancedWeights(labels, classes);
  const inside = labels.map((_, i) => (part[i] === held ? 0 : 1));
  const weights = balance.map((weight, i) => weight * inside[i]);
  const { weights: w, bias } = fitLogistic(inBasis(basis), labels, classes, { c, weights });
  let loss = 0;
  for (let i = 0; i < labels.length; i += 1) {
    if (inside[i] === 1) continue;
    const logScores = Array.from({ length: classes }, (_, k) => {
      let sum = bias[k];
      for (let r = 0; r < basis.rank; r += 1) sum += w[k * basis.rank + r] * basis.scores[i * basis.rank + r];
      return sum;
    });
    const top = Math.max(...logScores);
    loss +=
      balance[i] * (Math.log(logScores.reduce((sum, v) => sum + Math.exp(v - top), 0)) + top - logScores[labels[i]]);
  }
  return loss;
}

/** The same basis with its own coordinates as features: weights stay in it. */
const inBasis = (basis: SpectralBasis): SpectralBasis => ({
  ...basis,
  dimension: basis.rank,
  mean: new Float64Array(basis.rank),
  lift: (coefficients) => coefficients,
});
