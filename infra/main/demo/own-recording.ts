import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { limits, trialsPerRequest } from '../../contract/limits.ts';
import { cutTrials } from '../../recordings/epochs.ts';
import { sentencesOf } from '../../recordings/lost-trials.ts';
import { openRecordings } from '../../recordings/open-recordings.ts';
import type { Said } from '../../recordings/recording.ts';
import { joinTrials, takeTrials, type DemoRecording, type DemoTrials } from '../../recordings/trials.ts';

/** The user's input cannot be used; only the message is shown. */
export class UsageError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UsageError';
  }
}

export interface OwnRecording {
  /** Recordings with events; several recordings are several sessions. */
  readonly files: readonly string[];
  readonly labels: Readonly<Record<string, string>> | null;
  readonly window: readonly [number, number] | null;
  readonly said?: Said;
  readonly cutSpans?: boolean;
}

/** Trials of the user's recording. Throws an Error that names the file and what is missing. */
export async function readOwnRecording(own: OwnRecording): Promise<DemoRecording> {
  const { files, labels, window, said = {}, cutSpans = false } = own;
  const notes: string[] = [];
  let chosen = window;
  const parts: DemoTrials[] = [];
  for (const { name, recording } of await openFiles(files, said)) {
    try {
      const cut = cutTrials(recording, { labels, window: chosen, session: name, said, cutSpans });
      chosen = cut.window;
      parts.push(cut.trials);
      notes.push(...recording.notices, ...cut.notes, ...sentencesOf(cut.losses, cut.chosen, name));
    } catch (cause) {
      throw new UsageError(`${name} cannot be used. ${(cause as Error).message}`, { cause });
    }
  }
  const all = joinTrials(parts);
  const trials = withinLimits(all);
  const counts = [...new Set(trials.labels)].map(
    (label) => `${label} (${trials.labels.filter((each) => each === label).length})`,
  );
  notes.unshift(
    `Trials from ${chosen?.[0]} to ${chosen?.[1]} s after each annotation: ${counts.join(', ')}; ` +
      `${trials.channels.length} channels at ${trials.rateHz} Hz.`,
  );
  if (trials.labels.length < all.labels.length)
    notes.push(
      `One request holds at most ${limits.numbersPerRequest.toLocaleString('en')} numbers, so ` +
        `${trials.labels.length} of ${all.labels.length} trials are used, spread evenly.`,
    );
  return { source: files.join(', '), notes: [...new Set(notes)], description: describe(trials.labels), trials };
}

async function openFiles(files: readonly string[], said: Said) {
  try {
    const given: { name: string; bytes: Uint8Array }[] = [];
    for (const file of files) given.push({ name: basename(file), bytes: await readFile(file) });
    return openRecordings(given, said);
  } catch (cause) {
    throw new UsageError((cause as Error).message, { cause });
  }
}

function describe(labels: readonly string[]): string {
  const text = `Classify ${[...new Set(labels)].join(' / ')}`;
  return text.length <= limits.descriptionCharacters ? text : `${text.slice(0, limits.descriptionCharacters - 1)}…`;
}

function withinLimits(trials: DemoTrials): DemoTrials {
  const most = trialsPerRequest(trials.channels.length, trials.samples, trials.rateHz);
  const have = trials.labels.length;
  if (have <= most) return trials;
  const kept: number[] = [];
  for (const label of new Set(trials.labels)) {
    const own = trials.labels.flatMap((each, row) => (each === label ? [row] : []));
    const count = Math.max(1, Math.floor((own.length * most) / have));
    for (let i = 0; i < count; i++) kept.push(own[Math.floor((i * own.length) / count)]);
  }
  return takeTrials(
    trials,
    kept.sort((a, b) => a - b),
  );
}
