import { balancedMean, doubtOf, likelihood, trialLosses } from './scores.ts';

export const temperatureRange = { min: 0.05, max: 50 } as const;

const steps = 40;
/** Relative change of T at which the search ends. */
const close = 1e-4;
/** Standard deviation of ln T before any trial is seen: most methods give log-scores of about the right size. */
const usual = 0.5;

/**
 * What a temperature costs beside the mean log-loss of so many trials, because such a one is unusual: T is log-normal
 * about 1 beforehand. Few trials say little of T, and one that fits them too well makes a method certain of new ones.
 */
export const oddness = (temperature: number, trials: number): number =>
  Math.log(temperature) ** 2 / (2 * usual ** 2 * trials);

/**
 * One temperature by which the log-scores of a method are divided so that its probabilities say how often it is right
 * (temperature scaling; Guo et al. 2017, ICML). It minimises the log-loss of pooled out-of-fold log-scores [passes ×
 * trials × classes], balanced over classes, and `oddness`, within 0.05 … 50. Where every trial was recognised the
 * log-loss falls without end, so one more trial is taken to be half wrong: of n trials a true class counts
 * (n + 1)/(n + 2), the others share the rest (Platt 1999, Advances in Large Margin Classifiers). Newton steps inside a
 * bracket find the minimum. `logLoss` is that of the labels as they are.
 */
export function fitTemperature(
  outOfFold: Float64Array,
  labels: Int32Array,
  classes: number,
): { temperature: number; logLoss: number } {
  const passes = passesOf(outOfFold, labels.length * classes);
  const temperature = best(passes, labels, classes);
  const values = passes
    .map((scores) => balancedMean(trialLosses(scores, labels, classes, temperature), labels, classes))
    .filter((v) => !Number.isNaN(v));
  return { temperature, logLoss: values.reduce((a, b) => a + b, 0) / values.length };
}

/** The same of all trials but some: their log-scores, at a temperature that they have not set. */
export function temperatureWithout(
  outOfFold: Float64Array,
  rows: Int32Array,
  labels: Int32Array,
  classes: number,
): number {
  const others = outOfFold.slice();
  for (let start = 0; start < others.length; start += labels.length * classes)
    for (const row of rows) others.fill(Number.NaN, start + row * classes, start + (row + 1) * classes);
  return best(passesOf(others, labels.length * classes), labels, classes);
}

const passesOf = (outOfFold: Float64Array, size: number): Float64Array[] =>
  Array.from({ length: outOfFold.length / size }, (_, p) => outOfFold.subarray(p * size, (p + 1) * size));

const best = (passes: readonly Float64Array[], labels: Int32Array, classes: number): number =>
  Math.exp(-steepness(calibratedLoss(passes, labels, classes)));

/** ln(1/T) where the loss is least within the range. */
function steepness(losses: CalibratedLoss): number {
  let low = -Math.log(temperatureRange.max);
  let high = -Math.log(temperatureRange.min);
  if (slopeAt(losses, low).slope >= 0) return low;
  if (slopeAt(losses, high).slope <= 0) return high;
  let at = 0;
  for (let step = 0; step < steps; step += 1) {
    const { slope, curvature } = slopeAt(losses, at);
    if (slope > 0) high = at;
    else low = at;
    const newton = at - slope / curvature;
    const next = curvature > 0 && newton > low && newton < high ? newton : (low + high) / 2;
    if (Math.abs(next - at) <= close) return next;
    at = next;
  }
  return at;
}

/** The log-loss, balanced over the classes that were tested, with one more trial taken half wrong. */
interface CalibratedLoss {
  readonly tested: readonly Tested[];
  readonly classes: number;
  /** Weight of `oddness` beside it. */
  readonly prior: number;
}

function calibratedLoss(passes: readonly Float64Array[], labels: Int32Array, classes: number): CalibratedLoss {
  const tested = passes.map((scores) => testedOf(scores, labels, classes));
  const sum = tested.reduce((all, { present }) => all + present, 0);
  return { tested, classes, prior: sum / (usual ** 2 * labels.length) };
}

/** First and second derivative of a loss by ln(1/T). */
function slopeAt({ tested, classes, prior }: CalibratedLoss, steep: number): { slope: number; curvature: number } {
  const inverse = Math.exp(steep);
  let slope = 0;
  let curvature = 0;
  for (const { away, target, weight } of tested) {
    for (let i = 0, at = 0; i < target.length; i += 1) {
      let total = 0;
      let mean = 0;
      let square = 0;
      for (let k = 0; k < classes; k += 1, at += 1) {
        const own = away[at];
        const share = likelihood(own * inverse);
        total += share;
        mean += share * own;
        square += share * own * own;
      }
      mean /= total;
      slope += weight[i] * (mean - target[i]);
      curvature += weight[i] * (square / total - mean * mean);
    }
  }
  return {
    slope: inverse * slope + prior * steep,
    curvature: inverse * inverse * curvature + inverse * slope + prior,
  };
}

/** What no temperature changes of the trials of one pass that were tested. */
interface Tested {
  /** Log-scores [trials × classes] less the highest of each trial. */
  readonly away: Float64Array;
  /** The same of the true class, doubted as `doubtOf` says. */
  readonly target: Float64Array;
  /** Weight of each trial: every class that was tested counts alike. */
  readonly weight: Float64Array;
  /** Classes that were tested. */
  readonly present: number;
}

function testedOf(scores: Float64Array, labels: Int32Array, classes: number): Tested {
  const doubt = doubtOf(labels.length);
  const rows: number[] = [];
  const counts = new Float64Array(classes);
  for (let row = 0; row < labels.length; row += 1) {
    if (Number.isNaN(scores[row * classes])) continue;
    rows.push(row);
    counts[labels[row]] += 1;
  }
  const away = new Float64Array(rows.length * classes);
  const [target, weight] = [new Float64Array(rows.length), new Float64Array(rows.length)];
  rows.forEach((row, i) => {
    const at = row * classes;
    let top = -Infinity;
    let all = 0;
    for (let k = 0; k < classes; k += 1) {
      top = Math.max(top, scores[at + k]);
      all += scores[at + k];
    }
    for (let k = 0; k < classes; k += 1) away[i * classes + k] = scores[at + k] - top;
    const own = scores[at + labels[row]];
    weight[i] = 1 / counts[labels[row]];
    target[i] = (1 - doubt) * own + (doubt * (all - own)) / (classes - 1) - top;
  });
  return {
    away,
    target,
    weight,
    present: counts.filter((count) => count > 0).length,
  };
}
