import { methodOf } from '../methods/index.ts';
import type { Workspace } from '../methods/index.ts';
import type { CandidateScore, FoldPlan, LearningPoint, TrainingData } from '../train/types.ts';
import { createRandom, shuffle } from './random.ts';
import { balancedAccuracy, decisions } from './scores.ts';

const shares = [0.3, 0.6] as const;
const fewest = 3;

/**
 * Held-out balanced accuracy of one method when each fold trains on 30, 60 and 100 % of the trials of each class; the last is what it scored. What a
 * method learns without labels (means, directions of space) it takes from all of the fold's training trials, so that only its classifier is fitted anew.
 */
export function learningCurve({ method: methodId, outOfFold }: Pick<CandidateScore, 'method' | 'outOfFold'>, data: TrainingData, plan: FoldPlan, workspace: Workspace): LearningPoint[] {
  const method = methodOf(methodId);
  const classes = data.classes.length;
  const size = data.labels.length * classes;
  const folds = plan.folds.filter((fold) => fold.pass === 0);
  const point = (trials: number, logScores: Float64Array): LearningPoint =>
    ({ trialsPerClass: Math.round(trials / classes / folds.length), balancedAccuracy: balancedAccuracy(decisions(logScores, classes), data.labels, classes) });
  const parts = shares.flatMap((share): LearningPoint[] => {
    const partial = new Float64Array(size).fill(Number.NaN);
    let trials = 0;
    try {
      for (const fold of folds) {
        const rows = partOf(fold.train, data.labels, classes, share);
        trials += rows.length;
        const head = method.fit({ data, rows, unlabelled: fold.train, workspace });
        const logScores = method.decide(head, data.features, fold.test, workspace);
        fold.test.forEach((row, i) => partial.set(logScores.subarray(i * classes, (i + 1) * classes), row * classes));
      }
    } catch {
      return [];
    }
    return [point(trials, partial)];
  });
  return [...parts, point(folds.reduce((sum, fold) => sum + fold.train.length, 0), outOfFold.subarray(0, size))];
}

function partOf(train: Int32Array, labels: Int32Array, classes: number, share: number): Int32Array {
  const random = createRandom(4_711);
  const kept: number[] = [];
  for (let k = 0; k < classes; k += 1) {
    const rows = shuffle(Array.from(train).filter((row) => labels[row] === k), random);
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
  const slope = x.reduce((sum, v, i) => sum + (v - meanX) * (y[i] - meanY), 0) / x.reduce((sum, v) => sum + (v - meanX) ** 2, 0);
  const { trialsPerClass: n, balancedAccuracy: now } = points.at(-1)!;
  const steep = Math.min(Math.max(0, -slope), (1 - now) * Math.sqrt(n));
  const at = (trials: number): number => now + steep / Math.sqrt(n) - steep / Math.sqrt(trials);
  const reach = steep / Math.sqrt(n) - gain;
  const needed = reach > 0 ? Math.ceil((steep / reach) ** 2) - n : Number.POSITIVE_INFINITY;
  return { withTwice: at(2 * n), moreTrialsPerClass: needed <= 20 * n ? needed : null, gain };
}
