import { linkedPairs } from '../evidence/chains.ts';
import { linksIn } from './links-in.ts';
import { shortList } from './statistics.ts';
import type { Check } from './types.ts';

/** Trials with the same signal, except for offset, trend or scale. */
export const doubledTrials: Check = ({ trials, labels }) => {
  const links = linksIn(trials);
  const pairs = links ? linkedPairs(links).same : [];
  if (pairs.length === 0) return null;
  const differing = labels ? pairs.filter(([a, b]) => labels[a] !== labels[b]).length : 0;
  return {
    message:
      `Doubled trials, the same trial twice: ${shortList(pairs.map(([a, b]) => `${a} = ${b}`))} hold the same ` +
      `signal. They stay in one fold where that can be done, and tell no more than one.` +
      `${differing > 0 ? ` ${differing} of these pairs have two different labels.` : ''} ` +
      'Leave the copies out of `x` and of `labels`.',
    change: null,
    remove: { channels: [], trials: pairs.map(([, copy]) => copy) },
  };
};
