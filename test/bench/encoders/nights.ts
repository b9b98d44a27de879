import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readRecording as readEdf } from '../../../infra/recordings/edf/read-recording.ts';
import type { Annotation } from '../../../infra/recordings/recording.ts';
import { resolveChannels } from '../../../ml/channels/index.ts';
import { readNpzFile, type Recording } from '../../support/recordings.ts';

/** Seconds of an epoch. */
const epochSeconds = 30;
/** Epochs awake that are kept before the first epoch of sleep and after the last: half an hour. */
const awakeAround = 60;
/** `Sleep stage 3` and `4` of Rechtschaffen & Kales are N3 of the AASM. */
const stages: Readonly<Record<string, string>> = { W: 'W', 1: 'N1', 2: 'N2', 3: 'N3', 4: 'N3', R: 'R', REM: 'R' };
const microvoltsPer: Readonly<Record<string, number>> = { uv: 1, µv: 1, μv: 1, mv: 1e3, v: 1e6 };

/**
 * Nights of a folder, in the order of their names: EDF files whose annotations are stages of sleep (`Sleep stage N2`),
 * in the file itself or, as in Sleep-EDF, in a `…-Hypnogram.edf` beside a `…-PSG.edf`; and `.npz` files like those of
 * the real sets, one night each. Throws an Error that names the file where one cannot be read.
 */
export function* readNights(folder: string, most = Infinity): Generator<Recording> {
  const files = readdirSync(folder).sort();
  const nights = files.filter((file) => /\.(edf|npz)$/i.test(file) && !/-hypnogram\.edf$/i.test(file));
  if (nights.length < 2) throw new Error(`${folder} holds ${nights.length} nights (.edf, .npz), and two are needed.`);
  for (const file of nights.slice(0, most)) {
    const name = file.replace(/\.\w+$/, '');
    try {
      const at = path.join(folder, file);
      yield /\.npz$/i.test(file) ? readNpzFile(at, name) : readNight(at, name, hypnogramOf(file, files, folder));
    } catch (error) {
      throw new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  }
}

/** `SC4001E0-PSG.edf` → `SC4001EC-Hypnogram.edf`; the file itself where there is none. */
function hypnogramOf(file: string, files: readonly string[], folder: string): string {
  const [, start] = /^(.*).-PSG\.edf$/i.exec(file) ?? [];
  const own = start && files.find((other) => other.startsWith(start) && /-hypnogram\.edf$/i.test(other));
  return path.join(folder, own || file);
}

function readNight(file: string, name: string, hypnogram: string): Recording {
  const { channels } = readEdf(readFileSync(file));
  const eeg = channels.flatMap((channel) => {
    const electrode = electrodeOf(channel.label);
    const gain = microvoltsPer[channel.unit.toLowerCase()];
    return electrode && gain ? [{ ...channel, electrode, gain }] : [];
  });
  const [first] = eeg;
  if (!first) throw new Error(`None of its channels is EEG: ${channels.map(({ label }) => label).join(', ')}.`);
  const { rateHz } = first;
  const read = eeg.filter(
    (channel, i) =>
      channel.rateHz === rateHz && eeg.findIndex(({ electrode }) => electrode === channel.electrode) === i,
  );
  const samples = epochSeconds * rateHz;
  const epochs = aroundSleep(epochsOf(readEdf(readFileSync(hypnogram)).annotations)).filter(
    ({ onset }) => onset >= 0 && Math.round(onset * rateHz) + samples <= first.values.length,
  );
  if (epochs.length === 0) throw new Error('It has no annotation of a stage of sleep, such as "Sleep stage N2".');
  const x = new Float32Array(epochs.length * read.length * samples);
  epochs.forEach(({ onset }, t) =>
    read.forEach(({ values, gain }, c) => {
      const from = Math.round(onset * rateHz);
      const into = (t * read.length + c) * samples;
      for (let i = 0; i < samples; i++) x[into + i] = values[from + i]! * gain;
    }),
  );
  return {
    name,
    x,
    trials: epochs.length,
    samples,
    rateHz,
    channels: read.map(({ electrode }) => electrode),
    labels: epochs.map(({ stage }) => stage),
    sessions: epochs.map(() => name),
  };
}

/** `EEG Fpz-Cz` → `Fpz`: a derivation goes by its first electrode; null for what is not EEG. */
function electrodeOf(label: string): string | null {
  const { names, errors } = resolveChannels([
    label
      .replace(/^EEG\s+/i, '')
      .split('-')[0]!
      .trim(),
  ]);
  return errors.length ? null : names[0]!;
}

/** Epochs of 30 s of known stage; an annotation may last for many. */
function epochsOf(annotations: readonly Annotation[]): { onset: number; stage: string }[] {
  return annotations.flatMap(({ onset, duration, text }) => {
    const stage = stages[/^sleep stage N?(\w|REM)$/i.exec(text)?.[1]?.toUpperCase() ?? ''];
    const count = Math.max(1, Math.floor(duration / epochSeconds));
    return stage ? Array.from({ length: count }, (_, i) => ({ onset: onset + i * epochSeconds, stage })) : [];
  });
}

/** Without the hours awake of a recording of a whole day. */
function aroundSleep<T extends { readonly stage: string }>(epochs: readonly T[]): T[] {
  const asleep = epochs.flatMap(({ stage }, i) => (stage === 'W' ? [] : [i]));
  if (asleep.length === 0) return [...epochs];
  return epochs.slice(Math.max(0, asleep[0]! - awakeAround), asleep.at(-1)! + 1 + awakeAround);
}
