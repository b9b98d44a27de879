import { balancedMean, trialLosses } from './scores.ts';

export const temperatureRange = { min: 0.5, max: 10 } as const;

/**
 * One temperature by which the log-scores of a method are divided so that its probabilities say how often it is right
 * (temperature scaling; Guo et al. 2017, ICML). It minimises the log-loss of pooled out-of-fold log-scores [passes ×
 * trials × classes], balanced over classes, within 0.5 … 10. The loss is convex in 1/T, so it has one minimum in log T,
 * which golden-section search finds (Kiefer 1953, Proc. Am. Math. Soc. 4).
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
  const loss = (logT: number): number => {
    const values = passes
      .map((scores) => balancedMean(trialLosses(scores, labels, classes, Math.exp(logT)), labels, classes))
      .filter((v) => !Number.isNaN(v));
    return values.reduce((a, b) => a + b, 0) / values.length;
  };
  const ratio = (Math.sqrt(5) - 1) / 2;
  let low = Math.log(temperatureRange.min);
  let high = Math.log(temperatureRange.max);
  let left = high - ratio * (high - low);
  let right = low + ratio * (high - low);
  let atLeft = loss(left);
  let atRight = loss(right);
  for (let i = 0; i < 18; i += 1) {
    if (atLeft < atRight) {
      high = right;
      right = left;
      atRight = atLeft;
      left = high - ratio * (high - low);
      atLeft = loss(left);
    } else {
      low = left;
      left = right;
      atLeft = atRight;
      right = low + ratio * (high - low);
      atRight = loss(right);
    }
  }
  const best = [low, (low + high) / 2, high]
    .map((at) => ({ temperature: Math.exp(at), logLoss: loss(at) }))
    .reduce((a, b) => (b.logLoss < a.logLoss ? b : a));
  const temperature = Math.min(temperatureRange.max, Math.max(temperatureRange.min, best.temperature));
  return { temperature, logLoss: best.logLoss };
}
