import { linkedPairs } from '../evidence/chains.ts';
import { linksIn } from './links-in.ts';
import { shortList } from './statistics.ts';
import type { Check } from './types.ts';
import { warningSentence } from '../warning-sentences.ts';

/** Trials with the same signal, except for offset, trend or scale. */
export const doubledTrials: Check = ({ trials, labels }) => {
  const links = linksIn(trials);
  const pairs = links ? linkedPairs(links).same : [];
  if (pairs.length === 0) return null;
  const differing = labels ? pairs.filter(([a, b]) => labels[a] !== labels[b]).length : 0;
  return {
    message: [
      warningSentence('doubled_trials', { pairs: shortList(pairs.map(([a, b]) => `${a} = ${b}`)) }),
      ...(differing > 0 ? [warningSentence('differing_labels', { count: differing })] : []),
    ].join(' '),
    change: null,
    remove: { channels: [], trials: pairs.map(([, copy]) => copy) },
  };
};
