import { readChannels } from '../../../../infra/recordings/channel-names.ts';
import type { Annotation, Recording } from '../../../../infra/recordings/edf/read-recording.ts';
import { asRead, asWritten, statesUnit, type Reading } from './reading.ts';

/** A recording that was read, with the name of its file. */
export interface NamedRecording {
  readonly name: string;
  readonly recording: Recording;
  /** What was guessed or left out, in sentences for people. */
  readonly notices?: readonly string[];
}

export interface ChannelSummary {
  /** As written in the file. */
  readonly label: string;
  /** As written in the file, or as the person said. */
  readonly unit: string;
  readonly rateHz: number;
  /** True: it would be an electrode if the person said its unit, which the file does not state. */
  readonly asksUnit: boolean;
  /** The recognised electrode; null: `reason` says why it is none. */
  readonly electrode: string | null;
  readonly reason: string | null;
}

export interface EventSummary {
  readonly text: string;
  readonly count: number;
  /** The shortest marked duration, seconds; 0 if none is marked. */
  readonly seconds: number;
  /** The longest marked duration, seconds. */
  readonly longest: number;
}

export interface FileSummary {
  readonly name: string;
  readonly seconds: number;
  readonly events: number;
  /** Kinds of its events, the most frequent first. */
  readonly kinds: readonly EventSummary[];
  readonly notices: readonly string[];
}

/** Summary of the files for the page. */
export interface FilesSummary {
  readonly files: readonly FileSummary[];
  /** Channels of the first file. The other files must have the same electrodes. */
  readonly channels: readonly ChannelSummary[];
  /** The most frequent sampling rate of the channels, Hz. */
  readonly rateHz: number;
  /** Events of all files, the most frequent first. */
  readonly events: readonly EventSummary[];
}

/** `reading`: what the person said about the files. */
export function summaryOf(recordings: readonly NamedRecording[], reading: Reading = asWritten): FilesSummary {
  const first = recordings[0].recording.channels;
  const { read, rateHz } = readChannels(asRead(recordings[0].recording, reading).channels);
  const { read: withUnit } = readChannels(asRead(recordings[0].recording, { ...reading, unit: 'uV' }).channels);
  return {
    files: recordings.map(({ name, recording, notices = [] }) => ({
      name,
      seconds: recording.seconds,
      events: recording.annotations.length,
      kinds: eventsOf(recording.annotations),
      notices,
    })),
    channels: read.map(({ channel: { unit, rateHz: own }, electrode, reason }, i) => ({
      label: first[i].label,
      unit,
      rateHz: own,
      asksUnit: !statesUnit(first[i].unit) && withUnit[i].electrode !== null,
      electrode: electrode?.name ?? null,
      reason,
    })),
    rateHz,
    events: eventsOf(recordings.flatMap(({ recording }) => recording.annotations)),
  };
}

function eventsOf(annotations: readonly Annotation[]): EventSummary[] {
  const events = new Map<string, { count: number; seconds: number; longest: number }>();
  for (const { text, duration } of annotations) {
    const before = events.get(text);
    events.set(text, {
      count: (before?.count ?? 0) + 1,
      seconds: Math.min(before?.seconds ?? Infinity, duration),
      longest: Math.max(before?.longest ?? 0, duration),
    });
  }
  return [...events].map(([text, each]) => ({ text, ...each })).sort((a, b) => b.count - a.count);
}
