import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { resample } from '../../ml/signal/index.ts';
import type { Trials } from '../../ml/types.ts';
import { readNpz } from './npz.ts';

/** Labelled trials of one subject as the set holds them: microvolts at the recording's own rate. */
export interface Recording {
  /** `set/subject`, e.g. `ssvep_exo/sub01`. */
  readonly name: string;
  /** [trials × channels × samples] */
  readonly x: Float32Array;
  readonly trials: number;
  readonly samples: number;
  readonly labels: readonly string[];
  readonly sessions: readonly string[];
  readonly channels: readonly string[];
  readonly rateHz: number;
}

/** Folder of the real sets: `EEG_DATA`, else `../shared/data` beside the repository. */
export const dataFolder = process.env['EEG_DATA'] ?? fileURLToPath(new URL('../../../shared/data', import.meta.url));

/**
 * True if any of the named recordings is missing; then prints which, and where it was searched. Tests that need them
 * begin with `describe.skipIf(recordingsMissing(name))`.
 */
export function recordingsMissing(...needed: readonly string[]): boolean {
  const absent = (needed.length > 0 ? needed : ['eegmmidb_mi_hands_feet/S001']).filter(
    (name) => !existsSync(path.join(dataFolder, `${name}.npz`)),
  );
  if (absent.length > 0)
    process.stderr.write(
      `\nSKIPPED: real recordings ${absent.join(', ')} are not in ${dataFolder} (set EEG_DATA to their folder)\n`,
    );
  return absent.length > 0;
}

/** Every `set/subject` in the data folder, sorted. */
export function listRecordings(): string[] {
  if (!existsSync(dataFolder)) return [];
  const sets = readdirSync(dataFolder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return sets
    .flatMap(({ name }) =>
      readdirSync(path.join(dataFolder, name))
        .filter((file) => file.endsWith('.npz'))
        .map((file) => `${name}/${file.slice(0, -4)}`),
    )
    .sort();
}

/** Reads one `set/subject`. */
export const readRecording = (name: string): Recording => readNpzFile(path.join(dataFolder, `${name}.npz`), name);

/** Reads a file of the same format from any path. */
export function readNpzFile(file: string, name: string): Recording {
  const arrays = readNpz(readFileSync(file));
  const x = arrays.get('x')!;
  const strings = (key: string) => arrays.get(key)!.values as readonly string[];
  return {
    name,
    x: x.values as Float32Array,
    trials: x.shape[0]!,
    samples: x.shape[2]!,
    labels: strings('labels'),
    sessions: strings('sessions'),
    channels: strings('channels'),
    rateHz: Number(arrays.get('sfreq')!.values[0]),
  };
}

/** The recording (or some of its trials and channels) as the service sees it: 256 Hz, as after intake. */
export function toTrials(
  recording: Recording,
  rows: readonly number[] = everyRow(recording),
  channels: readonly string[] = recording.channels,
): Trials {
  const { samples, rateHz } = recording;
  const at = channels.map((name) => recording.channels.indexOf(name));
  const picked = new Float32Array(rows.length * at.length * samples);
  rows.forEach((row, i) =>
    at.forEach((channel, j) => {
      const from = (row * recording.channels.length + channel) * samples;
      picked.set(recording.x.subarray(from, from + samples), (i * at.length + j) * samples);
    }),
  );
  const resampled =
    rateHz === 256 ? { data: picked, samples } : resample(picked, rows.length * at.length, samples, rateHz, 256);
  return {
    data: resampled.data,
    trials: rows.length,
    channels: at.length,
    samples: resampled.samples,
    rateHz: 256,
    sourceRateHz: rateHz,
    channelNames: channels,
  };
}

/**
 * Trials to fit on and to test on: all but the last session against the last; one session: the last third of each
 * class.
 */
export function earlierAndLast(recording: Pick<Recording, 'labels' | 'sessions'>): { train: number[]; test: number[] } {
  const sessions = [...new Set(recording.sessions)].sort();
  const last = sessions.at(-1);
  const isTest = sessions.length > 1 ? (row: number) => recording.sessions[row] === last : lastThird(recording.labels);
  const rows = recording.labels.map((_, row) => row);
  return { train: rows.filter((row) => !isTest(row)), test: rows.filter((row) => isTest(row)) };
}

function lastThird(labels: readonly string[]): (row: number) => boolean {
  const seen = new Map<string, number>();
  const order = labels.map((label) => seen.set(label, (seen.get(label) ?? 0) + 1).get(label)! - 1);
  return (row) => order[row]! >= Math.floor((2 * seen.get(labels[row]!)!) / 3);
}

function everyRow(recording: Recording): number[] {
  return recording.labels.map((_, row) => row);
}
