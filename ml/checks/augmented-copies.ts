import { linkedPairs } from '../evidence/chains.ts';
import { linksIn } from './links-in.ts';
import { shortList } from './statistics.ts';
import type { Check } from './types.ts';

/** Trials that are likely altered copies of others; see `nearCopiesInSteps`. */
export const augmentedCopies: Check = ({ trials, labels }) => {
  const links = linksIn(trials);
  const pairs = links ? linkedPairs(links).altered : [];
  if (pairs.length === 0) return null;
  const differing = labels ? pairs.filter(([a, b]) => labels[a] !== labels[b]).length : 0;
  return {
    message:
      `Augmented copies: ${pairs.length} trials are likely altered copies of others or mixed from them ` +
      `(${shortList(pairs.map(([a, b]) => `${a} and ${b}`))}). The noise, sign, filter, reference or direction in time ` +
      `differs, the signal does not. They stay in one fold if possible.` +
      `${differing > 0 ? ` ${differing} of these pairs have two different labels.` : ''} ` +
      'Send only the trials that were recorded. The service needs no augmentation.',
    change: null,
    remove: null,
  };
};
