import { linkedPairs } from '../evidence/chains.ts';
import { linksIn } from './links-in.ts';
import { warningOf, type Check } from './types.ts';

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
    `Overlapping trials: trial ${later} begins ${round(links.at[later] - links.at[earlier])} s into trial ` +
      `${earlier}, which lasts ${round(links.seconds)} s` +
      `${pairs.length > 1 ? `, and ${pairs.length - 1} more pairs overlap` : ''}. Where that can be done, no trial ` +
      'that overlaps a held-out one trains the fit that it tests. Trials that overlap tell less than as many that do not: ' +
      'cut epochs apart where you can.',
  );
};
