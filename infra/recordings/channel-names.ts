import { resolveChannels } from '../../ml/channels/index.ts';
import type { RecordedChannel } from './edf/read-recording.ts';

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

/** Interpretation of one channel of a file; `reason`: why a create cannot use it as an electrode. */
export interface ReadChannel {
  readonly channel: RecordedChannel;
  readonly electrode: Electrode | null;
  readonly reason: string | null;
}

/** Every channel of a file, in order, and the most common sampling rate. Channels of other rates are not read. */
export function readChannels(channels: readonly RecordedChannel[]): { read: ReadChannel[]; rateHz: number } {
  const rates = new Map<number, number>();
  for (const { rateHz } of channels) rates.set(rateHz, (rates.get(rateHz) ?? 0) + 1);
  const rateHz = [...rates].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
  const taken = new Set<string>();
  const read = channels.map((channel): ReadChannel => {
    const { names, errors } = resolveChannels([bareName(channel.label)]);
    const [name] = names;
    const gain = microvoltsPer[channel.unit.toLowerCase()];
    const reason =
      errors[0]?.message ??
      (gain === undefined ? `Its unit is "${channel.unit}": uV, mV and V can be read.` : null) ??
      (channel.rateHz === rateHz ? null : `It has ${channel.rateHz} Hz where most channels have ${rateHz} Hz.`) ??
      (taken.has(name) ? `The electrode ${name} is there already.` : null);
    if (reason !== null) return { channel, electrode: null, reason };
    taken.add(name);
    return { channel, electrode: { name, gain, channel }, reason: null };
  });
  return { read, rateHz };
}

/**
 * The channels of a file that are electrodes of the 10-05 system, at the most common sampling rate; and the labels of
 * all other channels (EOG, ECG, triggers, other rates).
 */
export function findElectrodes(channels: readonly RecordedChannel[]): {
  electrodes: Electrode[];
  left: string[];
  rateHz: number;
} {
  const { read, rateHz } = readChannels(channels);
  return {
    electrodes: read.flatMap(({ electrode }) => electrode ?? []),
    left: read.filter(({ electrode }) => !electrode).map(({ channel }) => channel.label),
    rateHz,
  };
}
