import { silentChannels } from './dead-trials.ts';
import { shortList } from './statistics.ts';
import type { Check } from './types.ts';
import { warningSentence } from '../warning-sentences.ts';

/** Finds channels without signal in any trial. If all channels are flat, `flatTrials` reports the trials instead. */
export const flatChannels: Check = ({ trials, labels }) => {
  const flat = silentChannels(trials);
  if (flat.length === 0) return null;
  return {
    message: [
      warningSentence('flat_channels', { channels: shortList(flat) }),
      warningSentence(labels ? 'flat_channels_fit' : 'flat_channels_predicted', {}),
    ].join(' '),
    change: null,
    remove: labels ? { channels: flat, trials: [] } : null,
  };
};
