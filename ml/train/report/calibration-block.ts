import { calibration } from '../../evidence/calibration.ts';
import { heldOutProbabilities } from '../../evidence/held-out-probabilities.ts';
import { answerAt, currentAnswer } from '../answers.ts';
import type { CandidateScore, FoldPlan, TrainingData } from '../types.ts';

/** How far the winner's held-out probabilities are from how often they are right, in one number and in bins. */
export function calibrationBlock(
  score: Pick<CandidateScore, 'outOfFold'>,
  data: TrainingData,
  plan: FoldPlan,
): Record<string, unknown> {
  const { softmax } = answerAt(currentAnswer());
  const { error, bins } = calibration(
    heldOutProbabilities(score.outOfFold, data, plan, softmax),
    data.labels,
    data.classes.length,
  );
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
