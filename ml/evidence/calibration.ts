import { countsOf } from './scores.ts';

/** Trials of similar probability and their accuracy: one point of a reliability diagram. */
export interface CalibrationBin {
  /** Lowest, mean and highest probability of the predicted class. */
  readonly lowest: number;
  readonly probability: number;
  readonly highest: number;
  /** Fraction of these trials that were predicted correctly. */
  readonly accuracy: number;
  /** Mean over the passes. All bins together contain every tested trial. */
  readonly trials: number;
  /** Weight of the bin in the error. The weights sum to 1. */
  readonly weight: number;
}

export interface Calibration {
  readonly error: number;
  /** By rising probability. */
  readonly bins: readonly CalibrationBin[];
}

interface Tested {
  readonly probability: number;
  readonly right: number;
  readonly weight: number;
}

/**
 * Expected calibration error (Naeini et al. 2015, AAAI): the distance between the probability of the predicted class
 * and the accuracy at that probability. The trials of all passes are sorted by that probability and cut into at most
 * ten bins of equal size, of ten trials or more. The error is the sum over bins of the weighted gap between mean
 * probability and accuracy. Every class has the same total weight. 0 is perfect. `passes` are held-out probabilities
 * [trials × classes]. Trials with NaN were not tested and do not count.
 */
export function calibration(passes: readonly Float64Array[], labels: Int32Array, classes: number): Calibration {
  const counts = countsOf(labels, classes);
  const tested = passes
    .flatMap((probabilities) => Array.from(labels, (label, i) => predictedOf(probabilities, label, i, counts)))
    .filter(({ probability }) => !Number.isNaN(probability))
    .sort((a, b) => a.probability - b.probability);
  const total = tested.reduce((sum, { weight }) => sum + weight, 0);
  const count = Math.max(1, Math.min(10, Math.floor(tested.length / passes.length / 10)));
  const bins = Array.from({ length: tested.length > 0 ? count : 0 }, (_, b) =>
    binOf(
      tested.slice(Math.floor((b * tested.length) / count), Math.floor(((b + 1) * tested.length) / count)),
      total,
      passes.length,
    ),
  );
  return {
    error: bins.reduce((sum, { weight, probability, accuracy }) => sum + weight * Math.abs(probability - accuracy), 0),
    bins,
  };
}

function predictedOf(probabilities: Float64Array, label: number, trial: number, counts: readonly number[]): Tested {
  const own = probabilities.subarray(trial * counts.length, (trial + 1) * counts.length);
  let best = 0;
  for (let k = 1; k < own.length; k += 1) if (own[k] > own[best]) best = k;
  return { probability: own[best], right: best === label ? 1 : 0, weight: 1 / (counts.length * counts[label]) };
}

function binOf(tested: readonly Tested[], total: number, passes: number): CalibrationBin {
  const weight = tested.reduce((sum, each) => sum + each.weight, 0);
  const mean = (of: (each: Tested) => number): number =>
    tested.reduce((sum, each) => sum + each.weight * of(each), 0) / weight;
  return {
    lowest: tested[0].probability,
    probability: mean(({ probability }) => probability),
    highest: tested.at(-1)!.probability,
    accuracy: mean(({ right }) => right),
    trials: tested.length / passes,
    weight: weight / total,
  };
}
