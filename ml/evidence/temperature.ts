import { balancedMean, likelihood, trialLosses } from './scores.ts';

export const temperatureRange = { min: 0.05, max: 50 } as const;

const steps = 40;
/** Relative change of 1/T at which the search ends. */
const close = 1e-4;

/**
 * One temperature by which the log-scores of a method are divided so that its probabilities say how often it is right
 * (temperature scaling; Guo et al. 2017, ICML). It minimises the log-loss of pooled out-of-fold log-scores [passes ×
 * trials × classes], balanced over classes, within 0.05 … 50. Where every trial was recognised the loss falls without
 * end, so one more trial is taken to be half wrong: of n trials a true class counts (n + 1)/(n + 2), the others share
 * the rest (Platt 1999, Advances in Large Margin Classifiers). The loss is convex in 1/T; Newton steps inside a bracket
 * find its minimum. `logLoss` is that of the labels as they are.
 */
export function fitTemperature(
  outOfFold: Float64Array,
  labels: Int32Array,
  classes: number,
): { temperature: number; logLoss: number } {
  const size = labels.length * classes;
  const passes = Array.from({ length: outOfFold.length / size }, (_, p) =>
    outOfFold.subarray(p * size, (p + 1) * size),
  );
  const temperature = 1 / steepness(slopeOf(passes, labels, classes));
  const values = passes
    .map((scores) => balancedMean(trialLosses(scores, labels, classes, temperature), labels, classes))
    .filter((v) => !Number.isNaN(v));
  return { temperature, logLoss: values.reduce((a, b) => a + b, 0) / values.length };
}

/** First and second derivative of a loss by 1/T. */
type Slope = (inverse: number) => { readonly slope: number; readonly curvature: number };

/** Where a convex loss is least within the range. */
function steepness(slopeAt: Slope): number {
  let low = 1 / temperatureRange.max;
  let high = 1 / temperatureRange.min;
  if (slopeAt(low).slope >= 0) return low;
  if (slopeAt(high).slope <= 0) return high;
  let at = 1;
  for (let step = 0; step < steps; step += 1) {
    const { slope, curvature } = slopeAt(at);
    if (slope > 0) high = at;
    else low = at;
    const newton = at - slope / curvature;
    const next = newton > low && newton < high ? newton : Math.sqrt(low * high);
    if (Math.abs(next - at) <= close * at) return next;
    at = next;
  }
  return at;
}

/** Derivatives of the log-loss, balanced over the classes that were tested, with one more trial taken half wrong. */
function slopeOf(passes: readonly Float64Array[], labels: Int32Array, classes: number): Slope {
  const doubt = 1 / (labels.length + 2);
  const weights = passes.map((scores) => {
    const counts = new Float64Array(classes);
    labels.forEach((label, i) => (counts[label] += Number.isNaN(scores[i * classes]) ? 0 : 1));
    return counts.map((count) => (count > 0 ? 1 / count : 0));
  });
  return (inverse) => {
    let slope = 0;
    let curvature = 0;
    passes.forEach((scores, p) => {
      for (let i = 0; i < labels.length; i += 1) {
        const at = i * classes;
        if (Number.isNaN(scores[at])) continue;
        let top = -Infinity;
        let all = 0;
        for (let k = 0; k < classes; k += 1) {
          top = Math.max(top, scores[at + k]);
          all += scores[at + k];
        }
        let [total, mean, square] = [0, 0, 0];
        for (let k = 0; k < classes; k += 1) {
          const away = scores[at + k] - top;
          const share = likelihood(away * inverse);
          total += share;
          mean += share * away;
          square += share * away * away;
        }
        mean /= total;
        const own = scores[at + labels[i]];
        const target = (1 - doubt) * own + (doubt * (all - own)) / (classes - 1) - top;
        slope += weights[p][labels[i]] * (mean - target);
        curvature += weights[p][labels[i]] * (square / total - mean * mean);
      }
    });
    return { slope, curvature };
  };
}
