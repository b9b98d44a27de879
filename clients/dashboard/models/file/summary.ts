import { readChannels } from '../../../../infra/recordings/channel-names.ts';
import type { Annotation, Recording } from '../../../../infra/recordings/edf/read-recording.ts';

/** A recording that was read, with the name of its file. */
export interface NamedRecording {
  readonly name: string;
  readonly recording: Recording;
}

export interface ChannelSummary {
  /** As written in the file. */
  readonly label: string;
  readonly unit: string;
  readonly rateHz: number;
  /** The recognised electrode; null: `reason` says why it is none. */
  readonly electrode: string | null;
  readonly reason: string | null;
}

export interface EventSummary {
  readonly text: string;
  readonly count: number;
  /** The shortest marked duration, seconds; 0 if none is marked. */
  readonly seconds: number;
}

/** Summary of the files for the page. */
export interface FilesSummary {
  readonly files: readonly { readonly name: string; readonly seconds: number; readonly events: number }[];
  /** Channels of the first file. The other files must have the same electrodes. */
  readonly channels: readonly ChannelSummary[];
  /** The most frequent sampling rate of the channels, Hz. */
  readonly rateHz: number;
  /** Events of all files, the most frequent first. */
  readonly events: readonly EventSummary[];
}

export function summaryOf(recordings: readonly NamedRecording[]): FilesSummary {
  const { read, rateHz } = readChannels(recordings[0].recording.channels);
  return {
    files: recordings.map(({ name, recording }) => ({
      name,
      seconds: recording.seconds,
      events: recording.annotations.length,
    })),
    channels: read.map(({ channel: { label, unit, rateHz: own }, electrode, reason }) => ({
      label,
      unit,
      rateHz: own,
      electrode: electrode?.name ?? null,
      reason,
    })),
    rateHz,
    events: eventsOf(recordings.flatMap(({ recording }) => recording.annotations)),
  };
}

function eventsOf(annotations: readonly Annotation[]): EventSummary[] {
  const events = new Map<string, { count: number; seconds: number }>();
  for (const { text, duration } of annotations) {
    const before = events.get(text);
    events.set(text, {
      count: (before?.count ?? 0) + 1,
      seconds: Math.min(before?.seconds ?? Infinity, duration),
    });
  }
  return [...events].map(([text, each]) => ({ text, ...each })).sort((a, b) => b.count - a.count);
}
