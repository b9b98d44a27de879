import { limits, trialsPerRequest, windowsPerTrial } from '../../../../infra/contract/limits.ts';
import { readChannels, type ReadChannels } from '../../../../infra/recordings/channel-names.ts';
import { cutTrials } from '../../../../infra/recordings/epochs.ts';
import { sentencesOf } from '../../../../infra/recordings/lost-trials.ts';
import type { Said } from '../../../../infra/recordings/recording.ts';
import { joinTrials, type DemoTrials } from '../../../../infra/recordings/trials.ts';
import { createRandom, shuffle } from '../../../../ml/random.ts';
import type { NamedRecording } from './summary.ts';

/** A person's choices about the files. */
export interface Choice {
  /** Text of an event → class. Other events are left out. */
  readonly classes: Readonly<Record<string, string>>;
  /** Name of a file → its own classes, where an event means something else there. */
  readonly classesOfFile?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Seconds from the event: from, to. */
  readonly window: readonly [number, number];
  /** Electrodes, by their recognised names. */
  readonly electrodes: readonly string[];
  /** Cuts events that last for several windows into windows that follow each other. */
  readonly cutSpans?: boolean;
  /** What the person said about the files. */
  readonly said?: Said;
}

/** The chosen trials of all files, and those that could not be cut. */
export interface Cut {
  readonly trials: DemoTrials;
  readonly notes: readonly string[];
  /** Rows of each request; more than one: the fit is deferred. */
  readonly batches: readonly (readonly number[])[];
  /** Billed windows of one trial. */
  readonly windowsPerTrial: number;
}

/** Cuts the trials, with each file as a session, and divides them among requests. Throws an Error with the problem. */
export function cutFiles(recordings: readonly NamedRecording[], choice: Choice): Cut {
  const { window, electrodes, cutSpans = false, said = {} } = choice;
  const parts: DemoTrials[] = [];
  const notes: string[] = [];
  for (const { name, recording } of recordings) {
    const own = choice.classesOfFile;
    const labels = own && Object.hasOwn(own, name) ? own[name] : choice.classes;
    if (!recording.annotations.some(({ text }) => Object.hasOwn(labels, text))) {
      notes.push(`${name} has none of the chosen events.`);
      continue;
    }
    requireElectrodes(name, readChannels(recording.channels, said), electrodes);
    const session = Array.from(name).slice(0, limits.labelCharacters).join('');
    const { trials, chosen, losses } = cutTrials(recording, { labels, window, session, said, cutSpans, electrodes });
    notes.push(...sentencesOf(losses, chosen, name));
    parts.push(trials);
  }
  if (parts.every(({ labels }) => labels.length === 0))
    throw new Error('No trial lies within the recording: choose other events or a shorter window.');
  const trials = joinTrials(parts);
  const { samples, rateHz } = trials;
  const most = trialsPerRequest(trials.channels.length, samples, rateHz);
  if (most < 1)
    throw new Error(
      `One trial of ${trials.channels.length} channels and ${samples} samples is more than a request may carry: ` +
        'choose a shorter window or fewer channels.',
    );
  return { trials, notes, batches: batchesOf(trials.labels, most), windowsPerTrial: windowsPerTrial(samples, rateHz) };
}

/** Throws if a file lacks a chosen electrode. */
function requireElectrodes(name: string, { read }: ReadChannels, electrodes: readonly string[]): void {
  const found = new Set(read.map(({ electrode }) => electrode?.name));
  const missing = electrodes.filter((each) => !found.has(each));
  if (missing.length > 0) throw new Error(`${name} lacks ${missing.join(', ')}: untick them, or leave this file out.`);
}

const seed = 20_240;

/**
 * Rows for each request, at most `most`. If all fit into one request, they keep their order. Otherwise they are
 * shuffled, always the same way, and dealt so that every request has every class (if a class has at least as many
 * trials as there are requests).
 */
export function batchesOf(labels: readonly string[], most: number): number[][] {
  const rows = labels.map((_, row) => row);
  if (rows.length <= most) return [rows];
  const batches: number[][] = Array.from({ length: Math.ceil(rows.length / most) }, () => []);
  const random = createRandom(seed);
  const dealt = [...new Set(labels)].flatMap((label) =>
    shuffle(
      rows.filter((row) => labels[row] === label),
      random,
    ),
  );
  dealt.forEach((row, i) => batches[i % batches.length].push(row));
  return batches.map((batch) => shuffle(batch, random));
}
