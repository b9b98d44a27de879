import { trialWeights, weighted } from '../../evidence/trial-weights.ts';
import { trialLosses } from '../../evidence/scores.ts';

/** Scales tried: from none of what others taught to twice as sure. */
const scales = Array.from({ length: 21 }, (_, i) => i / 10);
/** Standard deviation about 1 of the scale of a person before a trial is seen. */
const priorDeviation = 0.5;

/**
 * How far others are to be believed, from 0 to 2, by what they say of a person's own trials: the scale of their
 * log-scores [trials × classes] that is likeliest under the labels, about 1 beforehand. Few trials move it little;
 * recordings of other classes, or of people who do otherwise, are soon not believed at all.
 */
export function scaleOf(logScores: Float64Array, labels: Int32Array, classes: number): number {
  const weighting = trialWeights(labels, classes, null);
  const costs = scales.map((scale) => {
    const scaled = logScores.map((value) => scale * value);
    const loss = weighted(trialLosses(scaled, labels, classes, 1), weighting);
    return labels.length * loss + (scale - 1) ** 2 / (2 * priorDeviation ** 2);
  });
  return scales[costs.indexOf(Math.min(...costs))];
}
