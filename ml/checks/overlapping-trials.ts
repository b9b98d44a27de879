import { linkedPairs } from '../evidence/chains.ts';
import { linksIn } from './links-in.ts';
import { warningOf, type Check } from './types.ts';
import { warningSentence } from '../warning-sentences.ts';

/**
 * Trials that overlap in the recording (sliding windows), in any order. A removed mean, a removed linear trend or a
 * scale does not hide the overlap; a filter applied to each trial separately may. Rhythms that repeat within a trial do
 * not count.
 */
export const overlappingTrials: Check = ({ trials }) => {
  const links = linksIn(trials);
  const pairs = links ? linkedPairs(links).overlapping : [];
  if (!links || pairs.length === 0) return null;
  const [[earlier, later]] = pairs;
  const round = (seconds: number): number => Math.round(seconds * 1000) / 1000;
  return warningOf(
    warningSentence('overlapping_trials', {
      later,
      offset: round(links.at[later] - links.at[earlier]),
      earlier,
      seconds: round(links.seconds),
      more: pairs.length > 1 ? `, and ${pairs.length - 1} more pairs overlap` : '',
    }),
  );
};
