import { flatTrials as trialsOfOneValue } from '../signal/index.ts';
import { deadTrials } from './dead-trials.ts';
import { loudTrials } from './loud-trials.ts';
import { constantBelow, deadFraction, shortList } from './statistics.ts';
import { willFail } from './trials-left.ts';
import { warningOf, type Check } from './types.ts';
import { warningSentence } from '../warning-sentences.ts';

/** Trials in which no channel varies. A fit leaves them out, and a prediction gets no information from them. */
export const flatTrials: Check = (checked) => {
  const { trials: sent, labels } = checked;
  const { data, trials, channels, samples } = sent;
  const constant = trialsOfOneValue(data, trials, channels, samples);
  const gone = labels ? (sent.flat ?? deadTrials(sent)) : constant;
  const loud = new Set(labels ? loudTrials(sent) : []);
  const flat = gone.filter((t) => !loud.has(t));
  if (flat.length === 0) return null;
  const found = warningSentence('flat_trials', {
    count: flat.length,
    trials,
    nearly: flat.length > constant.length ? ', or vary by less than a hundredth of what other trials do' : '',
    which: shortList(flat),
  });
  const failing = willFail(checked, gone);
  if (failing) return warningOf(`${found} ${failing}`);
  return {
    message: `${found} ${warningSentence(labels ? 'flat_left_out' : 'flat_predicted', {})}`,
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
    const least = Math.max(constantBelow, channelDeviations[c] * deadFraction);
    let count = 0;
    for (let t = 0; t < trials; t += 1)
      if (deviations[t * channels + c] < least && alive.some((d) => deviations[t * channels + d] >= least)) count += 1;
    return { name: channelNames[c], count };
  });
  const found = gaps.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count);
  return found.length === 0
    ? null
    : warningOf(
        warningSentence('dropouts', {
          channels: shortList(found.map(({ name, count }) => `${name} in ${count} of ${trials} trials`)),
          are: found.length === 1 ? 'is' : 'are',
          what: labels ? 'channel or the trials' : 'trials',
        }),
      );
};
