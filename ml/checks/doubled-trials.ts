import { shortList } from './statistics.ts';
import type { Check } from './types.ts';

/** Values by which trials are compared before they are compared whole. */
const probes = 16;

/** Trials that hold the same numbers: one of them then tests what the other taught. */
export const doubledTrials: Check = ({ trials: { data, trials, channels, samples }, labels }, { deviations }) => {
  const size = channels * samples;
  const step = Math.max(1, Math.floor(size / probes));
  const equal = (a: number, b: number): boolean => {
    for (let i = 0; i < size; i += 1) if (data[a * size + i] !== data[b * size + i]) return false;
    return true;
  };
  const known = new Map<string, number>();
  const pairs: [number, number][] = [];
  for (let t = 0; t < trials; t += 1) {
    if (!deviations.subarray(t * channels, (t + 1) * channels).some((deviation) => deviation > 0)) continue;
    let key = '';
    for (let i = 0; i < size; i += step) key += `${data[t * size + i]},`;
    const earlier = known.get(key);
    if (earlier === undefined) known.set(key, t);
    else if (equal(earlier, t)) pairs.push([earlier, t]);
  }
  if (pairs.length === 0) return null;
  const differing = labels ? pairs.filter(([a, b]) => labels[a] !== labels[b]).length : 0;
  return {
    message:
      `Doubled trials: ${shortList(pairs.map(([a, b]) => `${a} = ${b}`))} hold the same signal, so held-out trials ` +
      `repeat what the fit has seen.${differing > 0 ? ` ${differing} of these pairs have two different labels.` : ''} ` +
      'Leave the copies out of `x` and of `labels`.',
    change: null,
    remove: { channels: [], trials: pairs.map(([, copy]) => copy) },
  };
};
