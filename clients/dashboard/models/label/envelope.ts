import { readChannels } from '../../../../infra/recordings/channel-names.ts';
import type { Said } from '../../../../infra/recordings/recording.ts';
import type { NamedRecording } from '../file/summary.ts';

/** Lowest and highest value of one electrode in each column of a drawing, microvolts around its median. */
export interface Envelope {
  readonly electrode: string;
  readonly seconds: number;
  readonly low: readonly number[];
  readonly high: readonly number[];
}

/** Envelope of an electrode over the whole recording. Throws an Error if the recording lacks it. */
export function envelopeOf(
  { recording }: NamedRecording,
  electrode: string,
  columns: number,
  said: Said = {},
): Envelope {
  const { read } = readChannels(recording.channels, said);
  const found = read.find((each) => each.electrode?.name === electrode)?.electrode;
  if (!found) throw new Error(`The recording lacks ${electrode}.`);
  const { values, rateHz } = found.channel;
  const low: number[] = [];
  const high: number[] = [];
  for (let column = 0; column < columns; column++) {
    const from = Math.floor((column * values.length) / columns);
    const to = Math.max(from + 1, Math.floor(((column + 1) * values.length) / columns));
    let [least, most] = [Infinity, -Infinity];
    for (let i = from; i < Math.min(to, values.length); i++) {
      least = Math.min(least, values[i]);
      most = Math.max(most, values[i]);
    }
    low.push(least * found.gain);
    high.push(most * found.gain);
  }
  const middle = median(low.map((each, i) => (each + high[i]) / 2));
  return {
    electrode,
    seconds: values.length / rateHz,
    low: low.map((each) => each - middle),
    high: high.map((each) => each - middle),
  };
}

/** The median of finite numbers. */
export function median(values: readonly number[]): number {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
