import { methodOf } from '../methods/index.ts';
import type { Workspace } from '../methods/index.ts';
import type { CandidateScore, Fold, FoldPlan, LearningPoint, TrainingData } from '../train/types.ts';
import { createRandom, shuffle } from './random.ts';
import { balancedAccuracy, decisions } from './scores.ts';

/** Shares of the training trials, below all, at which a learning curve is measured. */
export const shares: readonly number[] = [0.3, 0.6];
const fewest = 3;

/**
 * Held-out balanced accuracy of one method when each fold trains on `share` of the trials of each class; null where so few cannot fit it. What a
 * method learns without labels (means, directions of space) it takes from all of the fold's training trials, so that only its classifier is fitted anew.
 */
export function learningPoint(
  methodId: string,
  share: number,
  data: TrainingData,
  plan: FoldPlan,
  workspace: Workspace,
): LearningPoint | null {
  const method = methodOf(methodId);
  const classes = data.classes.length;
  const logScores = new Float64Array(data.labels.length * classes).fill(Number.NaN);
  let trials = 0;
  try {
    for (const fold of firstPass(plan)) {
      const rows = partOf(fold.train, data.labels, classes, share);
      trials += rows.length;
      const head = method.fit({ data, rows, unlabelled: fold.train, workspace });
      const own = method.decide(head, data.features, fold.test, workspace);
      fold.test.forEach((row, i) => logScores.set(own.subarray(i * classes, (i + 1) * classes), row * classes));
    }
  } catch {
    return null;
  }
  return point(trials, logScores, data, plan);
}

/** The curve of a method from the points of its parts and, for all trials, from what it scored. */
export function completeCurve(
  points: readonly (LearningPoint | null)[],
  { outOfFold }: Pick<CandidateScore, 'outOfFold'>,
  data: TrainingData,
  plan: FoldPlan,
): LearningPoint[] {
  const size = data.labels.length * data.classes.length;
  const whole = point(
    firstPass(plan).reduce((sum, { train }) => sum + train.length, 0),
    outOfFold.subarray(0, size),
    data,
    plan,
  );
  return [...points.filter((each) => each !== null), whole];
}

const firstPass = ({ folds }: FoldPlan): Fold[] => folds.filter(({ pass }) => pass === 0);

function point(
  trials: number,
  logScores: Float64Array,
  { labels, classes: { length: classes } }: TrainingData,
  plan: FoldPlan,
): LearningPoint {
  return {
    trialsPerClass: Math.round(trials / classes / firstPass(plan).length),
    balancedAccuracy: balancedAccuracy(decisions(logScores, classes), labels, classes),
  };
}

function partOf(train: Int32Array, labels: Int32Array, classes: number, share: number): Int32Array {
  const random = createRandom(4_711);
  const kept: number[] = [];
  for (let k = 0; k < classes; k += 1) {
    const rows = shuffle(
      Array.from(train).filter((row) => labels[row] === k),
      random,
    );
    kept.push(...rows.slice(0, Math.max(Math.min(fewest, rows.length), Math.round(rows.length * share))));
  }
  return Int32Array.from(kept).sort();
}

export interface Forecast {
  /** Score expected with twice the trials. */
  readonly withTwice: number;
  /** More trials per class expected to add `gain`; null where more trials are not expected to. */
  readonly moreTrialsPerClass: number | null;
  readonly gain: number;
}

const gain = 0.03;

/** Prediction from a curve a − b/√n fitted by least squares to its points (b ≥ 0, a ≤ 1); null with fewer than three points. */
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
