import { eigenvalues, gram } from '../linalg/index.ts';
import { asBatch, matrixOf } from '../matrix.ts';
import type { Trials } from '../types.ts';
import { warningOf, type Check } from './types.ts';
import { warningSentence } from '../warning-sentences.ts';

const mostChannels = 256;
/** Samples that are used for each channel. */
const columnsPerChannel = 8;
/** Eigenvalues of the correlation matrix below this count as zero: float32 rounding errors reach 1e-13. */
const none = 1e-9;

/**
 * Warns of channels that are combinations of others: interpolated ones, or the effect of removed ICA components. An
 * average reference takes one dimension, which is usual and gives no warning.
 */
export const dependentChannels: Check = ({ trials: own }, { alive, channelDeviations, means }) => {
  const { trials, samples } = own;
  const n = alive.length;
  const total = trials * samples;
  const columns = Math.min(total, Math.max(2_000, columnsPerChannel * n));
  if (n < 4 || n > mostChannels || columns < 4 * n) return null;
  const sampled = new Float64Array(n * columns);
  alive.forEach((c, i) =>
    sampleChannel(own, c, means, channelDeviations[c], sampled.subarray(i * columns, (i + 1) * columns)),
  );
  const correlation = gram(matrixOf(sampled, columns, n));
  const rank = eigenvalues(asBatch(correlation)).filter((value) => value > none * n).length;
  return n - rank < 2 ? null : warningOf(warningSentence('rank', { channels: n, rank, dependent: n - rank }));
};

/**
 * Values of one channel, evenly spread over all trials, without the means of the trials; the sum of squares is about 1.
 */
function sampleChannel(
  { data, trials, channels, samples }: Trials,
  channel: number,
  means: Float64Array,
  deviation: number,
  out: Float64Array,
): void {
  const step = (trials * samples) / out.length;
  const scale = Math.sqrt(out.length);
  for (let k = 0; k < out.length; k += 1) {
    const at = Math.floor(k * step);
    const row = Math.floor(at / samples) * channels + channel;
    out[k] = (data[row * samples + (at % samples)] - means[row]) / deviation / scale;
  }
}
