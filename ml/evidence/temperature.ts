import { balancedMean, labelSmoothing, expNonPositive, trialLosses } from './scores.ts';

export const temperatureRange = { min: 0.05, max: 50 } as const;

const steps = 40;
/** Relative change of T at which the search ends. */
const close = 1e-4;
/** Prior standard deviation of ln T: most methods give log-scores of about the right size. */
const priorDeviation = 0.5;

/**
 * Penalty of a temperature, given as its logarithm, added to the mean log-loss of this many trials: a log-normal prior
 * about T = 1. Few trials say little about T, and a T that fits them too well makes a method overconfident on new
 * trials.
 */
export const temperaturePenalty = (logTemperature: number, trials: number): number =>
  logTemperature ** 2 / (2 * priorDeviation ** 2 * trials);

/**
 * Temperature scaling (Guo et al. 2017, ICML): one temperature that divides the log-scores of a method, so that its
 * probabilities match its accuracy. It minimises the class-balanced log-loss of pooled out-of-fold log-scores [passes ×
 * trials × classes] plus `temperaturePenalty`, within 0.05 … 50. If every trial were recognised the log-loss would fall
 * without limit, so the labels are smoothed: of n trials the true class gets (n + 1)/(n + 2), and the others divide the
 * rest (Platt 1999, Advances in Large Margin Classifiers). Newton steps inside a bracket find the minimum. `logLoss` is
 * that of the labels without smoothing.
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

/** The temperature of all trials except `rows`. */
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

/** ln(1/T) of the least loss in the range. */
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

/** The class-balanced log-loss with smoothed labels. */
interface CalibratedLoss {
  readonly tested: readonly Tested[];
  readonly classes: number;
  /** Weight of `temperaturePenalty`. */
  readonly prior: number;
}

function calibratedLoss(passes: readonly Float64Array[], labels: Int32Array, classes: number): CalibratedLoss {
  const tested = passes.map((scores) => testedOf(scores, labels, classes));
  const sum = tested.reduce((all, { present }) => all + present, 0);
  return { tested, classes, prior: sum / (priorDeviation ** 2 * labels.length) };
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
        const odds = expNonPositive(own * inverse);
        total += odds;
        mean += odds * own;
        square += odds * own * own;
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

/** The tested trials of one pass, in the terms that do not depend on the temperature. */
interface Tested {
  /** Log-scores [trials × classes] minus the highest of each trial. */
  readonly away: Float64Array;
  /** The same for the true class, smoothed by `labelSmoothing`. */
  readonly target: Float64Array;
  /** Weight of each trial. Every tested class has the same total. */
  readonly weight: Float64Array;
  /** Classes that were tested. */
  readonly present: number;
}

function testedOf(scores: Float64Array, labels: Int32Array, classes: number): Tested {
  const smoothing = labelSmoothing(labels.length);
  const rows: number[] = [];
  const counts = new Float64Array(classes);
  for (let row = 0; row < labels.length; row += 1) {
    if (Number.isNaN(scores[row * classes])) continue;
    rows.push(row);
    counts[labels[row]] += 1;
  }
  const away = new Float64Array(rows.length * classes);
  const [target, weight] = [new Float64Array(rows.length), new Float64Array(rows.length)];
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i];
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
    target[i] = (1 - smoothing) * own + (smoothing * (all - own)) / (classes - 1) - top;
  }
  return {
    away,
    target,
    weight,
    present: counts.filter((count) => count > 0).length,
  };
}
