import { calibration } from '../../evidence/calibration.ts';
import type { TrainingData } from '../types.ts';

/** Calibration of the winner's held-out probabilities [trials × classes] of each pass, as one error and in bins. */
export function calibrationBlock(heldOut: readonly Float64Array[], data: TrainingData): Record<string, unknown> {
  const { error, bins } = calibration(heldOut, data.labels, data.classes.length);
  return {
    calibration_error: error,
    calibration_bins: bins.map(({ lowest, probability, highest, accuracy, trials, weight }) => ({
      lowest_probability: lowest,
      mean_probability: probability,
      highest_probability: highest,
      accuracy,
      trials,
      weight,
    })),
  };
}
