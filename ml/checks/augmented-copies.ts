import { linkedPairs } from '../evidence/chains.ts';
import { linksIn } from './links-in.ts';
import { shortList } from './statistics.ts';
import type { Check } from './types.ts';
import { warningSentence } from '../warning-sentences.ts';

/** Trials that are likely altered copies of others; see `nearCopiesInSteps`. */
export const augmentedCopies: Check = ({ trials, labels }) => {
  const links = linksIn(trials);
  const pairs = links ? linkedPairs(links).altered : [];
  if (pairs.length === 0) return null;
  const differing = labels ? pairs.filter(([a, b]) => labels[a] !== labels[b]).length : 0;
  return {
    message: [
      warningSentence('augmented_copies', {
        count: pairs.length,
        which: shortList(pairs.map(([a, b]) => `${a} and ${b}`)),
      }),
      ...(differing > 0 ? [warningSentence('differing_labels', { count: differing })] : []),
    ].join(' '),
    change: null,
    remove: null,
  };
};
