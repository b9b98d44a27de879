import { balancedAccuracy, decisions } from './scores.ts';
import type { CandidateScore, Fold, FoldPlan, LabelledTrials, LearningPoint } from './types.ts';

/**
 * The learning curve of a method: points at parts of the training trials (null where a part was too small to fit), and
 * last the point of all training trials, from the log-scores [trials × classes] of the first pass.
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
  return [...points.filter((each) => each !== null), whole];
}

/** The folds that test every trial once. */
export const firstPass = ({ folds }: FoldPlan): Fold[] => folds.filter(({ pass }) => pass === 0);

/**
 * One point of a learning curve: the balanced accuracy of out-of-fold log-scores [trials × classes], whose fits saw
 * `trials` trials in all folds together.
 */
export function pointOf(
  trials: number,
  logScores: Float64Array,
  { labels, classes: { length: classes } }: LabelledTrials,
  plan: FoldPlan,
): LearningPoint {
  return {
    trialsPerClass: Math.round(trials / classes / firstPass(plan).length),
    balancedAccuracy: balancedAccuracy(decisions(logScores, classes), labels, classes),
  };
}

export interface Forecast {
  /** Score expected with twice the trials. */
  readonly withTwice: number;
  /** More trials per class expected to add `gain`; null where more trials are not expected to. */
  readonly moreTrialsPerClass: number | null;
  readonly gain: number;
}

const gain = 0.03;

/**
 * What more trials are expected to bring. Accuracy is taken to grow as a − b/√n with n trials per class: an inverse
 * power law, as learning curves of classifiers follow (Figueroa et al. 2012, BMC Med. Inform. Decis. Mak. 12:8), with
 * the exponent fixed at ½ because three points do not determine it. The line is fitted by least squares, with b ≥ 0 and
 * an end no higher than 1, and drawn through the last point. Null with fewer than three points.
 */
export function forecast(points: readonly LearningPoint[]): Forecast | null {
  if (points.length < 3 || points[0].trialsPerClass === points.at(-1)!.trialsPerClass) return null;
  const x = points.map(({ trialsPerClass }) => 1 / Math.sqrt(trialsPerClass));
  const y = points.map((point) => point.balancedAccuracy);
  const meanX = x.reduce((a, b) => a + b) / x.length;
  const meanY = y.reduce((a, b) => a + b) / y.length;
  const slope =
    x.reduce((sum, v, i) => sum + (v - meanX) * (y[i] - meanY), 0) / x.reduce((sum, v) => sum + (v - meanX) ** 2, 0);
  const { trialsPerClass: n, balancedAccuracy: now } = points.at(-1)!;
  const steep = Math.min(Math.max(0, -slope), (1 - now) * Math.sqrt(n));
  const at = (trials: number): number => now + steep / Math.sqrt(n) - steep / Math.sqrt(trials);
  const reach = steep / Math.sqrt(n) - gain;
  const needed = reach > 0 ? Math.ceil((steep / reach) ** 2) - n : Number.POSITIVE_INFINITY;
  return { withTwice: at(2 * n), moreTrialsPerClass: needed <= 20 * n ? needed : null, gain };
}
