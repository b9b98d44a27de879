import { readChannels, type Needs } from '../../../../infra/recordings/channel-names.ts';
import type { NamedRecording } from '../../../../infra/recordings/open-recordings.ts';
import type { Annotation, Said } from '../../../../infra/recordings/recording.ts';
import { triggerChannels } from '../../../../infra/recordings/trigger-channel.ts';

export type { NamedRecording } from '../../../../infra/recordings/open-recordings.ts';

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
  /** The longest marked duration, seconds. */
  readonly longest: number;
}

export interface FileSummary {
  readonly name: string;
  readonly seconds: number;
  readonly events: number;
  /** Kinds of its events, the most frequent first. */
  readonly kinds: readonly EventSummary[];
  /**
   * Sentences about everything that its reader left out, mended or guessed. Those about channels of the first file are
   * `FilesSummary.notices`.
   */
  readonly notices: readonly string[];
}

/** Summary of the files for the page. */
export interface FilesSummary {
  readonly files: readonly FileSummary[];
  /** Channels of the first file. The other files must have the same electrodes. */
  readonly channels: readonly ChannelSummary[];
  /** The sampling rate of the electrodes, Hz. */
  readonly rateHz: number;
  /** Events of all files, the most frequent first. */
  readonly events: readonly EventSummary[];
  /** Sentences about names of channels of the first file that were changed and units that were guessed. */
  readonly notices: readonly string[];
  /** Things that the files do not say and the person can. */
  readonly needs: Needs & {
    /** Channels that look like trigger channels and are not used. */
    readonly triggers: readonly string[];
    /** Whether a text has letters that depend on the encoding. */
    readonly encoding: boolean;
  };
}

/** `said`: what the person said about the files. */
export function summaryOf(recordings: readonly NamedRecording[], said: Said = {}): FilesSummary {
  const first = recordings[0].recording.channels;
  const [{ read, rateHz, notices, needs }, ...others] = recordings.map(({ recording }) =>
    readChannels(recording.channels, said),
  );
  const events = eventsOf(recordings.flatMap(({ recording }) => recording.annotations));
  return {
    files: recordings.map(({ name, recording }, i) => ({
      name,
      seconds: recording.seconds,
      events: recording.annotations.length,
      kinds: eventsOf(recording.annotations),
      notices: [
        ...recording.notices,
        ...(i === 0 ? [] : others[i - 1].notices.filter((notice) => !notices.includes(notice))),
      ],
    })),
    channels: read.map(({ channel: { label, unit, rateHz: own }, electrode, reason }) => ({
      label,
      unit,
      rateHz: own,
      electrode: electrode?.name ?? null,
      reason,
    })),
    rateHz,
    events,
    notices,
    needs: {
      ...needs,
      unit: [...new Set([needs, ...others.map((each) => each.needs)].flatMap(({ unit }) => unit))],
      triggers: triggerChannels(first).map(({ label }) => label),
      encoding: events.some(({ text }) => /[^\0-\u007F]/.test(text)),
    },
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
