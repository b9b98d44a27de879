import { eigenvalues, gram } from '../linalg/index.ts';
import { told, type Check } from './types.ts';

const mostChannels = 256;
/** Columns (moments in time) that are looked at for each channel. */
const columnsPerChannel = 8;
/** Eigenvalues of the correlation matrix below this are none: float32 numbers reach 1e-13. */
const none = 1e-9;

/**
 * Channels that are combinations of others: interpolated ones, or what ICA took away. An average reference takes one
 * dimension, which is usual and not told.
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
  const held = new Float64Array(n * columns);
  const share = Math.sqrt(columns);
  for (let i = 0; i < n; i += 1) {
    const c = alive[i];
    for (let k = 0; k < columns; k += 1) {
      const at = Math.floor(k * step);
      const row = Math.floor(at / samples) * channels + c;
      held[i * columns + k] = (data[row * samples + (at % samples)] - means[row]) / channelDeviations[c] / share;
    }
  }
  const correlation = gram(held, n, columns);
  const rank = eigenvalues(correlation, 1, n).filter((value) => value > none * n).length;
  return n - rank < 2
    ? null
    : told(
        `Rank: the ${n} channels have rank ${rank}, so ${n - rank} of them are combinations of the others. ` +
          'Interpolation and removed ICA components do this, and an average reference accounts for 1. They add nothing.',
      );
};
