import { shortList } from './statistics.ts';
import { warningOf, type Check } from './types.ts';
import { warningSentence } from '../warning-sentences.ts';

/** An offset this many times the deviation does not occur in high-passed EEG. */
const most = 100;

/** Channels with a large offset: direct-coupled amplifiers, rows without EEG. */
export const offsets: Check = ({ trials: { trials, channels, channelNames } }, { means, channelDeviations, alive }) => {
  const far = alive.flatMap((c) => {
    let sum = 0;
    for (let t = 0; t < trials; t += 1) sum += Math.abs(means[t * channels + c]);
    const mean = sum / trials;
    return mean > most * channelDeviations[c] ? [{ name: channelNames[c], mean, deviation: channelDeviations[c] }] : [];
  });
  if (far.length === 0) return null;
  const shown = far.map(
    ({ name, mean, deviation }) => `${name} ${Math.round(mean)} µV (varies by ${Number(deviation.toPrecision(2))} µV)`,
  );
  return warningOf(warningSentence('offsets', { channels: shortList(shown) }));
};
