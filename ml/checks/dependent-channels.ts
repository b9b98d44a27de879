import { eigenvalues, gram } from '../linalg/index.ts';
import { asBatch, matrixOf } from '../matrix.ts';
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
export const dependentChannels: Check = (
  { trials: { data, trials, channels, samples } },
  { alive, channelDeviations, means },
) => {
  const n = alive.length;
  const total = trials * samples;
  const columns = Math.min(total, Math.max(2_000, columnsPerChannel * n));
  if (n < 4 || n > mostChannels || columns < 4 * n) return null;
  const step = total / columns;
  const sampled = new Float64Array(n * columns);
  const scale = Math.sqrt(columns);
  for (let i = 0; i < n; i += 1) {
    const c = alive[i];
    for (let k = 0; k < columns; k += 1) {
      const at = Math.floor(k * step);
      const row = Math.floor(at / samples) * channels + c;
      sampled[i * columns + k] = (data[row * samples + (at % samples)] - means[row]) / channelDeviations[c] / scale;
    }
  }
  const correlation = gram(matrixOf(sampled, columns, n));
  const rank = eigenvalues(asBatch(correlation)).filter((value) => value > none * n).length;
  return n - rank < 2 ? null : warningOf(warningSentence('rank', { channels: n, rank, dependent: n - rank }));
};
