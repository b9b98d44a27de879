import { bandpassSos, resample, sosfiltfilt, welch } from '../signal/index.ts';
import type { Sos, Spectrum } from '../signal/index.ts';
import type { SignalShape } from '../types.ts';
import { usableHz } from './bands.ts';
import { higuchi, hjorth, moments, permutationEntropy, petrosian, signChanges } from './complexity.ts';
import type { RecipeFamily } from './recipe.ts';

const rateHz = 100;
/** Length of a segment of the spectrum. Two segments overlap by half. */
export const segmentSeconds = 5;
const bands = {
  slow: [0.4, 1],
  delta: [1, 4],
  theta: [4, 8],
  alpha: [8, 12],
  sigma: [12, 16],
  beta: [16, 30],
} as const;

/** Names of the values of 'sleep' per channel, in order. */
const sleepFeatureNames = [
  'std',
  'iqr',
  'skewness',
  'kurtosis',
  'zeroCrossings',
  'mobility',
  'complexity',
  'permutationEntropy',
  'higuchi',
  'petrosian',
  'slow',
  'delta',
  'theta',
  'alpha',
  'sigma',
  'beta',
  'deltaTheta',
  'deltaSigma',
  'deltaBeta',
  'alphaTheta',
  'power',
] as const;

/**
 * 'sleep': features for sleep staging, per channel [channels × 21] in the order of `sleepFeatureNames` (Vallat & Walker
 * 2021). At 100 Hz, 0.4–30 Hz; Welch spectrum with 5-s Hamming windows and the median; bands relative to 0.4–30 Hz.
 */
export const sleepFamily: RecipeFamily = () => ({
  storable: true,
  dimension: ({ channels }) => channels * sleepFeatureNames.length,
  write({ shape, data }, out, at) {
    const slow = resample(data, shape.channels, shape.samples, shape.rateHz, rateHz);
    const x = sosfiltfilt(filterBelow(Math.min(30, usableHz(shape))), slow.data, shape.channels, slow.samples);
    const spectrum = spectrumOf(x, shape, slow.samples);
    for (let c = 0; c < shape.channels; c++) {
      const row = x.subarray(c * slow.samples, (c + 1) * slow.samples);
      out.set([...timeFeatures(row), ...bandFeatures(spectrum, c)], at + c * sleepFeatureNames.length);
    }
  },
});

const filters = new Map<number, Sos>();

function filterBelow(highHz: number): Sos {
  const sos = filters.get(highHz) ?? bandpassSos(0.4, highHz, 2, rateHz);
  if (filters.size < 32) filters.set(highHz, sos);
  return sos;
}

const spectrumOf = (x: Float64Array, { channels }: SignalShape, samples: number): Spectrum =>
  welch(x, channels, samples, rateHz, { segment: segmentSeconds * rateHz, average: 'median' });

function timeFeatures(x: Float64Array): number[] {
  const { std, iqr, skewness, kurtosis } = moments(x);
  const { mobility, complexity } = hjorth(x);
  return [
    std,
    iqr,
    skewness,
    kurtosis,
    signChanges(x),
    mobility,
    complexity,
    permutationEntropy(x),
    higuchi(x),
    petrosian(x),
  ];
}

function bandFeatures({ frequenciesHz, power }: Spectrum, channel: number): number[] {
  const bins = frequenciesHz.length;
  const own = power.subarray(channel * bins, (channel + 1) * bins);
  const total = integral(frequenciesHz, own, 0.4, 30);
  const absolute = Object.values(bands).map(([low, high]) => integral(frequenciesHz, own, low, high));
  const [slow, fast, theta, alpha, sigma, beta] = absolute.map((power) => (total > 0 ? power / total : 0));
  const ratio = (a: number, b: number): number => (b > 0 ? a / b : 0);
  const delta = slow + fast;
  return [
    slow,
    fast,
    theta,
    alpha,
    sigma,
    beta,
    ratio(delta, theta),
    ratio(delta, sigma),
    ratio(delta, beta),
    ratio(alpha, theta),
    total,
  ];
}

/** Trapezoidal integral over the bins low ≤ f ≤ high. */
function integral(frequenciesHz: Float64Array, power: Float64Array, low: number, high: number): number {
  let sum = 0;
  for (let k = 1; k < frequenciesHz.length; k++) {
    if (frequenciesHz[k - 1] < low - 1e-9 || frequenciesHz[k] > high + 1e-9) continue;
    sum += ((power[k] + power[k - 1]) / 2) * (frequenciesHz[k] - frequenciesHz[k - 1]);
  }
  return sum;
}
