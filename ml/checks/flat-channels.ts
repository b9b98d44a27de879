import { silentChannels } from './dead-trials.ts';
import { shortList } from './statistics.ts';
import type { Check } from './types.ts';

/** Finds channels without signal in any trial. If all channels are flat, `flatTrials` reports the trials instead. */
export const flatChannels: Check = ({ trials, labels }) => {
  const flat = silentChannels(trials);
  if (flat.length === 0) return null;
  return {
    message:
      `Flat channels: ${shortList(flat)} carry no signal (below a thousandth of the median channel). ` +
      (labels
        ? 'The fit reads nothing in them, nor do predictions later. Leave them out of `x` and of `channels`.'
        : 'The model was fitted on them too, unless they were flat then.'),
    change: null,
    remove: labels ? { channels: flat, trials: [] } : null,
  };
};
