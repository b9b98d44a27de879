import { createRandom } from '../random.ts';
import type { Random } from '../random.ts';
import { drawSample } from './bootstrap.ts';
import { rowsBy } from './dealing.ts';
import { balancedAccuracy } from './scores.ts';
import type { LabelledTrials, LearningPoint } from './types.ts';

/** A number and its 95 % interval. */
export interface Estimate {
  readonly value: number;
  readonly interval: readonly [number, number];
}

export interface Forecast {
  /** Score expected with twice the trials. */
  readonly withTwice: Estimate;
  /** More trials per class that are expected to add `gain`. Infinite: more trials are not expected to add it. */
  readonly moreTrialsPerClass: Estimate;
  readonly gain: number;
}

const gain = 0.03;
/** There is no forecast beyond this many times the trials. */
const farthest = 20;
/** Exponent of the curve, and its range for the interval. */
const exponent = { usual: 0.5, least: 0.3, most: 1 } as const;
const samples = 400;
const fewestGroups = 5;
const seed = 2_718;

/** A learning curve a − b·n^−c through its last point. */
interface Curve {
  readonly at: (trialsPerClass: number) => number;
  /** More trials per class that add `gain`; infinite if no number does. */
  readonly needed: number;
}

/**
 * Forecast of the score with more trials. Accuracy is assumed to grow as a − b·n^−c with n trials per class: an inverse
 * power law, as learning curves of classifiers follow (Figueroa et al. 2012, BMC Med. Inform. Decis. Mak. 12:8). c is
 * ½, because few points do not determine it. The curve is fitted by least squares, with b ≥ 0 and a ≤ 1, and goes
 * through the last point.
 *
 * The intervals cover the middle 95 % of curves from a percentile bootstrap (Efron & Tibshirani 1993). It resamples
 * held-out trials within classes, or whole sessions (or linked trials, or blocks) if there are at least five, the same
 * for every point. As in `accuracyInterval`, two successes and two failures, divided between the classes, are added, so
 * that 100 % of few trials does not count as certain. c is drawn from 0.3 to 1. The scores are spread about their mean
 * by `dependence`, because fits of different folds have training trials in common. Null with fewer than three points.
 */
export function forecast(
  points: readonly LearningPoint[],
  data: Pick<LabelledTrials, 'labels' | 'classes'> & { readonly groups: Int32Array | null },
  dependence: number,
): Forecast | null {
  if (points.length < 3 || points[0].trialsPerClass === points.at(-1)!.trialsPerClass) return null;
  const n = points.at(-1)!.trialsPerClass;
  const scores = points.map(({ balancedAccuracy }) => balancedAccuracy);
  const curve = through(points, scores, exponent.usual);
  const random = createRandom(seed);
  const classes = data.classes.length;
  const imagined = Int32Array.from({ length: 2 * classes }, (_, i) => i >> 1);
  const labels = Int32Array.from([...data.labels, ...imagined]);
  const decided = points.map(({ predicted }) =>
    Int32Array.from([...predicted, ...imagined.map((k, i) => (k + (i % 2)) % classes)]),
  );
  const strata = strataOf(data);
  const drawn = Array.from({ length: samples }, () => {
    const weights = new Float64Array(labels.length);
    weights.set(drawSample(strata, data.labels.length, random));
    for (let i = data.labels.length; i < weights.length; i += 1) weights[i] = poisson(2 / classes, random);
    const again = decided.map((predicted, i) => {
      const own = balancedAccuracy(predicted, labels, classes, weights);
      return Math.min(1, Math.max(0, scores[i] + dependence * (own - scores[i])));
    });
    return through(points, again, exponent.least + (exponent.most - exponent.least) * random());
  });
  return {
    withTwice: { value: curve.at(2 * n), interval: middle(drawn.map(({ at }) => at(2 * n))) },
    moreTrialsPerClass: { value: curve.needed, interval: middle(drawn.map(({ needed }) => needed)) },
    gain,
  };
}

function through(points: readonly LearningPoint[], scores: readonly number[], c: number): Curve {
  const x = points.map(({ trialsPerClass }) => trialsPerClass ** -c);
  const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b) / values.length;
  const [meanX, meanY] = [mean(x), mean(scores)];
  const slope =
    x.reduce((sum, v, i) => sum + (v - meanX) * (scores[i] - meanY), 0) /
    x.reduce((sum, v) => sum + (v - meanX) ** 2, 0);
  const n = points.at(-1)!.trialsPerClass;
  const now = scores.at(-1)!;
  const steep = Math.min(Math.max(0, -slope), (1 - now) * n ** c);
  const rest = steep * n ** -c - gain;
  const needed = rest > 0 ? Math.max(1, Math.ceil((steep / rest) ** (1 / c)) - n) : Number.POSITIVE_INFINITY;
  return {
    at: (trials) => now + steep * (n ** -c - trials ** -c),
    needed: needed <= farthest * n ? needed : Number.POSITIVE_INFINITY,
  };
}

/** Strata of the bootstrap: whole groups if there are enough, else the trials of each class. */
function strataOf({ labels, classes, groups }: Parameters<typeof forecast>[1]): number[][][] {
  if (groups && new Set(groups).size >= fewestGroups) return [[...rowsBy(groups).values()]];
  return classes.map((_, k) => [...labels.keys()].filter((row) => labels[row] === k).map((row) => [row]));
}

/** A Poisson-distributed number with mean `mean` (Knuth 1969, The Art of Computer Programming 2, 3.4.1). */
function poisson(mean: number, random: Random): number {
  let count = 0;
  for (let product = random(); product > Math.exp(-mean); product *= random()) count += 1;
  return count;
}

function middle(values: readonly number[]): [number, number] {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (quantile: number): number => sorted[Math.round(quantile * (sorted.length - 1))];
  return [at(0.025), at(0.975)];
}
