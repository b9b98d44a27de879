import { firstPass } from './drawn-folds.ts';
import { balancedAccuracy, decisions } from './scores.ts';
import type { CandidateScore, FoldPlan, LabelledTrials, LearningPoint } from './types.ts';

/**
 * The learning curve of a method. `points` are measured at fractions of the training trials (null: too few trials to
 * fit). The last point uses all training trials, from the log-scores [trials × classes] of the first pass. Sizes
 * increase strictly: if two fractions give the same number of trials, the later point stays.
 */
export function completeCurve(
  points: readonly (LearningPoint | null)[],
  { outOfFold }: Pick<CandidateScore, 'outOfFold'>,
  data: LabelledTrials,
  plan: FoldPlan,
): LearningPoint[] {
  const size = data.labels.length * data.classes.length;
  const whole = pointOf(
    firstPass(plan).reduce((sum, { train }) => sum + train.length, 0),
    outOfFold.subarray(0, size),
    data,
    plan,
  );
  const all = [...points.filter((each) => each !== null), whole];
  return all.filter(({ trialsPerClass }, i) =>
    all.slice(i + 1).every((later) => later.trialsPerClass > trialsPerClass),
  );
}

/**
 * One point of a learning curve: the balanced accuracy of out-of-fold log-scores [trials × classes]. `trials`: training
 * trials of all folds, summed.
 */
export function pointOf(
  trials: number,
  logScores: Float64Array,
  { labels, classes: { length: classes } }: LabelledTrials,
  plan: FoldPlan,
): LearningPoint {
  const predicted = decisions(logScores, classes);
  return {
    trialsPerClass: Math.round(trials / classes / firstPass(plan).length),
    balancedAccuracy: balancedAccuracy(predicted, labels, classes),
    predicted,
  };
}
