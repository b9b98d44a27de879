import { shortList } from './statistics.ts';
import { told, type Check } from './types.ts';

/** An offset this many times the variation leaves ripples of a resampler that can be told from nothing else. */
const most = 100;

/** Channels that lie far from zero: direct-coupled amplifiers, rows that hold no EEG. */
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
  return told(
    `Offsets: ${shortList(shown)} lie far from zero, and resampling turns an offset into ripples. Subtract the mean of ` +
      'each channel, or high-pass the recording, before cutting it into trials.',
  );
};
