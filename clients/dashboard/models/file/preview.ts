import { readChannels } from '../../../../infra/recordings/channel-names.ts';
import type { Said } from '../../../../infra/recordings/recording.ts';
import { median } from '../label/envelope.ts';
import type { NamedRecording } from './summary.ts';

/** A part of one file that the page draws. */
export interface PreviewOf {
  readonly file: number;
  /** Seconds from the beginning of the recording. */
  readonly from: number;
  readonly seconds: number;
  /** Number of columns of the drawing. */
  readonly columns: number;
  /** Electrodes that are drawn, by their recognised names. */
  readonly electrodes: readonly string[];
  readonly said: Said;
}

/** Lowest and highest value of an electrode in each column, microvolts around its median. */
export interface PreviewTrace {
  readonly electrode: string;
  readonly low: Float32Array;
  readonly high: Float32Array;
}

export interface Preview {
  readonly from: number;
  readonly seconds: number;
  readonly traces: readonly PreviewTrace[];
  /** Events that overlap with the part, by their beginning. */
  readonly events: readonly { readonly onset: number; readonly duration: number; readonly text: string }[];
}

/** The signal and events of a part of a recording. Electrodes that the file lacks are left out. */
export function previewOf({ recording }: NamedRecording, of: PreviewOf): Preview {
  const { from, seconds, columns, electrodes } = of;
  const { read } = readChannels(recording.channels, of.said);
  const traces = electrodes.flatMap((name) => {
    const found = read.find(({ electrode }) => electrode?.name === name)?.electrode;
    if (!found) return [];
    const { values, rateHz } = found.channel;
    const low = new Float32Array(columns).fill(Number.NaN);
    const high = new Float32Array(columns).fill(Number.NaN);
    for (let column = 0; column < columns; column++) {
      const first = Math.max(0, Math.floor((from + (column * seconds) / columns) * rateHz));
      const last = Math.min(values.length, Math.ceil((from + ((column + 1) * seconds) / columns) * rateHz));
      if (last <= first) continue;
      let [least, most] = [Infinity, -Infinity];
      for (let i = first; i < last; i++) {
        least = Math.min(least, values[i]);
        most = Math.max(most, values[i]);
      }
      low[column] = least * found.gain;
      high[column] = most * found.gain;
    }
    const middle = median(Array.from(low, (each, i) => (each + high[i]) / 2));
    const centred = (all: Float32Array): Float32Array => all.map((each) => each - middle);
    return [{ electrode: name, low: centred(low), high: centred(high) }];
  });
  const events = recording.annotations
    .filter(({ onset, duration }) => onset + duration >= from && onset <= from + seconds)
    .slice(0, mostEvents)
    .map(({ onset, duration, text }) => ({ onset, duration, text }));
  return { from, seconds, traces, events };
}

/** Most events that are drawn at once. */
const mostEvents = 500;

/** Where the previous or the next chosen event begins, seconds; null: there is none. */
export function eventBeside(
  { recording }: NamedRecording,
  { texts, after, back }: { readonly texts: readonly string[]; readonly after: number; readonly back: boolean },
): number | null {
  const onsets = recording.annotations.filter(({ text }) => texts.includes(text)).map(({ onset }) => onset);
  const found = back ? onsets.findLast((onset) => onset < after - 1e-6) : onsets.find((onset) => onset > after + 1e-6);
  return found ?? null;
}
