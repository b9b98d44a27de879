import { addScaled } from '../rows.ts';

/** The exponential of less than this does not change a sum that contains a 1. */
const negligible = -50;

/** eˣ for x ≤ 0. Returns 0 directly on underflow, because computing an underflow is slow. */
export const expNonPositive = (x: number): number => (x < -745 ? 0 : x === 0 ? 1 : Math.exp(x));

/** Weight of each trial: how often a bootstrap sample drew it. Null: each trial counts once. */
export type Weights = Float64Array | null;

/**
 * Index of the highest log-score of each trial; −1 where the trial was not tested. [trials] from [trials × classes].
 */
export function decisions(logScores: Float64Array, classes: number): Int32Array {
  const out = new Int32Array(logScores.length / classes);
  for (let i = 0; i < out.length; i += 1) {
    let best = 0;
    for (let k = 1; k < classes; k += 1) if (logScores[i * classes + k] > logScores[i * classes + best]) best = k;
    out[i] = Number.isNaN(logScores[i * classes]) ? -1 : best;
  }
  return out;
}

/**
 * Balanced accuracy: the mean of the recalls of the classes (Brodersen et al. 2010, ICPR). Chance is 1 / classes
 * whatever the class sizes. Trials predicted as −1 do not count. NaN if no trial counts.
 */
export function balancedAccuracy(
  predicted: Int32Array,
  labels: Int32Array,
  classes: number,
  weights: Weights = null,
): number {
  const hit = new Float64Array(classes);
  const all = new Float64Array(classes);
  for (let i = 0; i < labels.length; i += 1) {
    if (predicted[i] < 0) continue;
    const weight = weights ? weights[i] : 1;
    all[labels[i]] += weight;
    if (predicted[i] === labels[i]) hit[labels[i]] += weight;
  }
  return meanOver(all, (k) => hit[k] / all[k]);
}

/** Trials of each class. */
export function countsOf(labels: Int32Array, classes: number): number[] {
  const counts = Array.from({ length: classes }, () => 0);
  for (const label of labels) counts[label] += 1;
  return counts;
}

/** Fraction of the passes that decided for each class [trials × classes], from the decisions of each pass. */
export function votesIn(passes: readonly Int32Array[], classes: number): Float64Array {
  const out = new Float64Array(passes[0].length * classes);
  for (const decided of passes)
    for (let i = 0; i < decided.length; i += 1) if (decided[i] >= 0) out[i * classes + decided[i]] += 1 / passes.length;
  return out;
}

/** Counts [true class × predicted class]. */
export function confusionMatrix(predicted: Int32Array, labels: Int32Array, classes: number): number[][] {
  const counts = Array.from({ length: classes }, () => Array.from({ length: classes }, () => 0));
  for (let i = 0; i < labels.length; i += 1) if (predicted[i] >= 0) counts[labels[i]][predicted[i]] += 1;
  return counts;
}

/** Label smoothing for this many trials: as if one more trial were half wrong (Platt 1999). */
export const labelSmoothing = (trials: number): number => 1 / (trials + 2);

/**
 * Log-loss of each trial in nats: −log of the probability that a softmax of its log-scores, divided by the temperature,
 * gives to its true class (a proper score: Gneiting & Raftery 2007, J. Am. Stat. Assoc. 102). NaN if not tested.
 * `smoothing`: probability that the target moves from the true class to the others, so that certainty has no advantage.
 */
export function trialLosses(
  logScores: Float64Array,
  labels: Int32Array,
  classes: number,
  temperature: number,
  smoothing = 0,
): Float64Array {
  const out = new Float64Array(labels.length);
  for (let i = 0; i < labels.length; i += 1) {
    let top = -Infinity;
    let all = 0;
    for (let k = 0; k < classes; k += 1) {
      top = Math.max(top, logScores[i * classes + k]);
      all += logScores[i * classes + k];
    }
    let sum = 0;
    for (let k = 0; k < classes; k += 1) {
      const away = (logScores[i * classes + k] - top) / temperature;
      if (!(away < negligible)) sum += away === 0 ? 1 : Math.exp(away);
    }
    const own = logScores[i * classes + labels[i]];
    const target = smoothing === 0 ? own : (1 - smoothing) * own + (smoothing * (all - own)) / (classes - 1);
    out[i] = Math.log(sum) - (target - top) / temperature;
  }
  return out;
}

/** `trialLosses` of several passes over the trials with smoothed labels, added with the weight of each pass. */
export function passLosses(
  passes: readonly Float64Array[],
  weights: readonly number[],
  labels: Int32Array,
  classes: number,
  temperature: number,
): Float64Array {
  const sum = new Float64Array(labels.length);
  const smoothing = labelSmoothing(labels.length);
  for (let p = 0; p < passes.length; p += 1)
    addScaled(sum, trialLosses(passes[p], labels, classes, temperature, smoothing), weights[p]);
  return sum;
}

/** Mean over classes of the mean of their trials. NaN values do not count. */
export function balancedMean(values: Float64Array, labels: Int32Array, classes: number): number {
  const sum = new Float64Array(classes);
  const all = new Float64Array(classes);
  for (let i = 0; i < labels.length; i += 1) {
    if (Number.isNaN(values[i])) continue;
    sum[labels[i]] += values[i];
    all[labels[i]] += 1;
  }
  return meanOver(all, (k) => sum[k] / all[k]);
}

/** Probabilities [trials × classes] of log-scores at a temperature. */
export function softmax(logScores: Float64Array, classes: number, temperature: number): Float64Array {
  const out = new Float64Array(logScores.length);
  for (let at = 0; at < out.length; at += classes) {
    let top = -Infinity;
    for (let k = 0; k < classes; k += 1) top = Math.max(top, logScores[at + k]);
    let sum = 0;
    for (let k = 0; k < classes; k += 1) sum += out[at + k] = expNonPositive((logScores[at + k] - top) / temperature);
    for (let k = 0; k < classes; k += 1) out[at + k] /= sum;
  }
  return out;
}

function meanOver(counts: Float64Array, value: (k: number) => number): number {
  let sum = 0;
  let present = 0;
  for (let k = 0; k < counts.length; k += 1) {
    if (counts[k] === 0) continue;
    sum += value(k);
    present += 1;
  }
  return present ? sum / present : Number.NaN;
}
