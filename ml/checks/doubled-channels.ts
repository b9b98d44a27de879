import { shortList } from './statistics.ts';
import type { Check } from './types.ts';
import { warningSentence } from '../warning-sentences.ts';

/** Number of samples, evenly spread over all trials, that are compared to find copies. */
const probes = 512;

/** Channels with the same signal. */
export const doubledChannels: Check = ({ trials: { data, trials, channels, samples, channelNames } }, statistics) => {
  const total = trials * samples;
  const used = Math.min(probes, total);
  const step = Math.max(1, Math.floor(total / used));
  const valueOf = (c: number, k: number): number => {
    const at = k * step;
    return data[(Math.floor(at / samples) * channels + c) * samples + (at % samples)];
  };
  const same = (a: number, b: number): boolean => {
    const most = 1e-5 * statistics.channelDeviations[a];
    for (let k = 0; k < used; k += 1) if (Math.abs(valueOf(a, k) - valueOf(b, k)) > most) return false;
    return true;
  };
  const pairs: string[] = [];
  const copies: string[] = [];
  statistics.alive.forEach((b, i) => {
    const a = statistics.alive.slice(0, i).find((earlier) => same(earlier, b));
    if (a === undefined) return;
    pairs.push(`${channelNames[a]} = ${channelNames[b]}`);
    copies.push(channelNames[b]);
  });
  return pairs.length === 0
    ? null
    : {
        message: warningSentence('doubled_channels', { pairs: shortList(pairs) }),
        change: null,
        remove: { channels: copies, trials: [] },
      };
};
