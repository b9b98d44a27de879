import { resolveChannels } from '../../ml/channels/index.ts';
import type { RecordedChannel } from './edf/read.ts';

const microvoltsPer: Readonly<Record<string, number>> = { uv: 1, µv: 1, μv: 1, mv: 1e3, v: 1e6 };

export interface Electrode {
  readonly name: string;
  /** Factor from the file's unit to microvolts. */
  readonly gain: number;
  readonly channel: RecordedChannel;
}

/**
 * Text before or after an electrode's name in recordings: `EEG Fz-REF`, `Fc5.`, `POL C3`. The service reads bare names
 * only.
 */
const bareName = (label: string): string =>
  label
    .replace(/^(EEG|POL)\s+/i, '')
    .replace(/[-\s](REF|LE|AR|AVG|M1|M2|A1|A2|CPZ?)$/i, '')
    .replaceAll('.', '')
    .trim();

/**
 * The electrodes among a file's channels, with names of the 10-05 system; of the rest (EOG, ECG, triggers, other rates)
 * the labels. The rate is that of the most channels.
 */
export function findElectrodes(channels: readonly RecordedChannel[]): {
  electrodes: Electrode[];
  left: string[];
  rateHz: number;
} {
  const rates = new Map<number, number>();
  for (const { rateHz } of channels) rates.set(rateHz, (rates.get(rateHz) ?? 0) + 1);
  const rateHz = [...rates].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
  const electrodes: Electrode[] = [];
  const left: string[] = [];
  const taken = new Set<string>();
  for (const channel of channels) {
    const { names, errors } = resolveChannels([bareName(channel.label)]);
    const gain = microvoltsPer[channel.unit.toLowerCase()];
    if (errors.length || gain === undefined || channel.rateHz !== rateHz || taken.has(names[0]))
      left.push(channel.label);
    else {
      taken.add(names[0]);
      electrodes.push({ name: names[0], gain, channel });
    }
  }
  return { electrodes, left, rateHz };
}
