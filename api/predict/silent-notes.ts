import { briefList } from '../../infra/contract/quote.ts';
import { flatTrials } from '../../ml/signal/index.ts';
import type { Trials } from '../../ml/types.ts';

/** Warnings about channels that carry a signal now but were flat in the fit: the model ignores them. */
export function silentNotes(
  { data, trials, channels, samples, channelNames }: Trials,
  silent: readonly string[],
): string[] {
  const speaks = (c: number): boolean => {
    for (let t = 0; t < trials; t++) {
      const from = (t * channels + c) * samples;
      if (flatTrials(data.subarray(from, from + samples), 1, 1, samples).length === 0) return true;
    }
    return false;
  };
  const active = channelNames.filter((name, c) => silent.includes(name) && speaks(c));
  if (active.length === 0) return [];
  return [
    `Flat in the fit: ${briefList(active)} carried no signal in the model's trials, so it reads nothing in them.`,
  ];
}
