import { balancedMean, likelihood, trialLosses } from './scores.ts';

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
  const size = labels.length * classes;
  const passes = Array.from({ length: outOfFold.length / size }, (_, p) =>
    outOfFold.subarray(p * size, (p + 1) * size),
  );
  const temperature = Math.exp(-steepness(slopeOf(passes, labels, classes)));
  const values = passes
    .map((scores) => balancedMean(trialLosses(scores, labels, classes, temperature), labels, classes))
    .filter((v) => !Number.isNaN(v));
  return { temperature, logLoss: values.reduce((a, b) => a + b, 0) / values.length };
}

/** First and second derivative of a loss by ln(1/T). */
type Slope = (steepness: number) => { readonly slope: number; readonly curvature: number };

/** ln(1/T) where the loss is least within the range. */
function steepness(slopeAt: Slope): number {
  let low = -Math.log(temperatureRange.max);
  let high = -Math.log(temperatureRange.min);
  if (slopeAt(low).slope >= 0) return low;
  if (slopeAt(high).slope <= 0) return high;
  let at = 0;
  for (let step = 0; step < steps; step += 1) {
    const { slope, curvature } = slopeAt(at);
    if (slope > 0) high = at;
    else low = at;
    const newton = at - slope / curvature;
    const next = curvature > 0 && newton > low && newton < high ? newton : (low + high) / 2;
    if (Math.abs(next - at) <= close) return next;
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
  const sum = weights.reduce((all, own) => all + own.filter((weight) => weight > 0).length, 0);
  return (steep) => {
    const inverse = Math.exp(steep);
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
    const prior = sum / (usual ** 2 * labels.length);
    return {
      slope: inverse * slope + prior * steep,
      curvature: inverse * inverse * curvature + inverse * slope + prior,
    };
  };
}
