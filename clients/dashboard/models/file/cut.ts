import { limits, trialsPerRequest, windowsPerTrial } from '../../../../infra/contract/limits.ts';
import { readChannels } from '../../../../infra/recordings/channel-names.ts';
import { cutTrials } from '../../../../infra/recordings/epochs.ts';
import { joinTrials, type DemoTrials } from '../../../../infra/recordings/trials.ts';
import { createRandom, shuffle } from '../../../../ml/random.ts';
import { asRead, asWritten, cutLongEvents, type Reading } from './reading.ts';
import type { NamedRecording } from './summary.ts';

/** A person's choices about the files. */
export interface Choice {
  /** Text of an event → class. Other events are left out. */
  readonly classes: Readonly<Record<string, string>>;
  /** Seconds from the event: from, to. */
  readonly window: readonly [number, number];
  /** Electrodes, by their recognised names. */
  readonly electrodes: readonly string[];
  /** Name of a file → its own classes, where an event means something else there. */
  readonly classesOfFile?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Cut events that last two windows or longer into several trials. */
  readonly cutSpans?: boolean;
  readonly reading?: Reading;
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
  const { window, electrodes, reading = asWritten } = choice;
  const parts: DemoTrials[] = [];
  const notes: string[] = [];
  for (const { name, recording: whole } of recordings) {
    const own = choice.classesOfFile;
    const classes = own && Object.hasOwn(own, name) ? own[name] : choice.classes;
    const isChosen = (text: string): boolean => Object.hasOwn(classes, text);
    const read = asRead(whole, reading);
    const recording = choice.cutSpans
      ? { ...read, annotations: cutLongEvents(read.annotations, isChosen, window) }
      : read;
    const chosen = recording.annotations.filter(({ text }) => isChosen(text)).length;
    if (chosen === 0) {
      notes.push(`${name} has none of the chosen events.`);
      continue;
    }
    const channels = chosenChannels(name, recording.channels, electrodes);
    const session = Array.from(name).slice(0, limits.labelCharacters).join('');
    const { trials } = cutTrials({ ...recording, channels }, { labels: classes, window, session });
    const lost = chosen - trials.labels.length;
    if (lost > 0)
      notes.push(`${lost} of ${chosen} trials reach past the beginning or end of ${name} and are left out.`);
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

/** The chosen electrodes' channels in one file, in the order chosen. */
function chosenChannels(
  name: string,
  channels: NamedRecording['recording']['channels'],
  electrodes: readonly string[],
): NamedRecording['recording']['channels'] {
  const { read } = readChannels(channels);
  const found = electrodes.map((each) => read.find(({ electrode }) => electrode?.name === each)?.channel);
  const missing = electrodes.filter((_, i) => !found[i]);
  if (missing.length > 0) throw new Error(`${name} lacks ${missing.join(', ')}: untick them, or leave this file out.`);
  return found.map((each) => each!);
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
