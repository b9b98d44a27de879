import { mlLimits } from '../limits.ts';
import { flatTrials as trialsOfOneValue } from '../signal/index.ts';
import { deadTrials } from './dead-trials.ts';
import { loudTrials } from './loud-trials.ts';
import { constantBelow, deadShare, shortList } from './statistics.ts';
import { told, type Check } from './types.ts';

/** Trials of the class that is left with the fewest once the flat ones are gone. */
function fewestLeft(labels: readonly string[], flat: readonly number[]): number {
  const gone = new Set(flat);
  const left = new Map<string, number>();
  labels.forEach((label, t) => left.set(label, (left.get(label) ?? 0) + (gone.has(t) ? 0 : 1)));
  return Math.min(...left.values());
}

/** Trials in which no channel varies: a fit leaves them out, a prediction reads nothing in them. */
export const flatTrials: Check = ({ trials: sent, labels, whole }) => {
  const { data, trials, channels, samples } = sent;
  const constant = trialsOfOneValue(data, trials, channels, samples);
  const loud = new Set(labels ? loudTrials(sent) : []);
  const flat = labels ? (sent.flat ?? deadTrials(sent)).filter((t) => !loud.has(t)) : constant;
  if (flat.length === 0) return null;
  const found =
    `Flat trials: ${flat.length} of ${trials} hold one value throughout in every channel` +
    (flat.length > constant.length ? ', or vary by less than a hundredth of what other trials do' : '') +
    ` (${shortList(flat)}).`;
  const left = labels && whole ? fewestLeft(labels, flat) : Infinity;
  if (left < mlLimits.minTrialsPerClass)
    return told(
      `${found} The fit will fail: without them a class is left with ${left} of the ${mlLimits.minTrialsPerClass} ` +
        'trials that it needs. Send the trials as they were recorded.',
    );
  return {
    message: `${found} ${
      labels ? 'The fit leaves flat trials out.' : 'Their labels mean nothing. Their probabilities are the prior.'
    }`,
    change: null,
    remove: { channels: [], trials: flat },
  };
};

/** Channels that are constant in some trials: loose electrodes, gaps filled with zeros. */
export const dropouts: Check = (
  { trials: { trials, channels, channelNames }, labels },
  { deviations, channelDeviations, alive },
) => {
  const gaps = alive.map((c) => {
    const least = Math.max(constantBelow, channelDeviations[c] * deadShare);
    let count = 0;
    for (let t = 0; t < trials; t += 1)
      if (deviations[t * channels + c] < least && alive.some((d) => deviations[t * channels + d] >= least)) count += 1;
    return { name: channelNames[c], count };
  });
  const found = gaps.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count);
  return found.length === 0
    ? null
    : told(
        `Dropouts: ${shortList(found.map(({ name, count }) => `${name} in ${count} of ${trials} trials`))} ` +
          `${found.length === 1 ? 'is' : 'are'} constant while other channels vary. ` +
          `Leave out the ${labels ? 'channel or the trials' : 'trials'}.`,
      );
};
