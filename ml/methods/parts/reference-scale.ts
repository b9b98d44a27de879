import { trialWeights, weighted } from '../../evidence/trial-weights.ts';
import { trialLosses } from '../../evidence/scores.ts';

/** Candidate scales: from 0, which ignores other people, to 2. */
const scales = Array.from({ length: 21 }, (_, i) => i / 10);
/** Prior standard deviation of a person's scale about 1. */
const priorDeviation = 0.5;

/**
 * Scale, 0 to 2, of other people's log-scores [trials × classes] for a person's own trials: the most probable one under
 * the labels, with a prior about 1. Few trials move it little. Recordings of other classes, or of people with different
 * signals, soon get a scale of 0.
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
