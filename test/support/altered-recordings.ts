import { dataSetOf } from '../../infra/contract/reference-data/data-sets.ts';
import type { ReferenceRun } from '../../infra/recordings/reference-data/run.ts';
import { headPositionOf } from '../../ml/channels/index.ts';
import { distance } from '../../ml/channels/frames.ts';
import { movementCard } from '../../ml/encoders/movement/index.ts';
import type { MovementPeople } from '../../ml/encoders/movement/index.ts';
import { extractFeatures } from '../../ml/features/index.ts';
import { createRandom } from '../../ml/random.ts';
import { bandpassSos, resample, sosfiltfilt } from '../../ml/signal/index.ts';
import { trainingData } from '../../ml/train/index.ts';
import type { TrainingData } from '../../ml/train/index.ts';
import type { Trials } from '../../ml/types.ts';
import { findTrials } from './reference-trials.ts';

const set = dataSetOf('eegmmidb');
const rateHz = 256;

/** A recording of all electrodes [electrodes][samples] at a rate. */
export interface Signal {
  readonly rows: readonly Float32Array[];
  readonly rateHz: number;
}

/** What a caller may have done to a recording before cutting it, and which seconds of each trial were sent. */
export interface Treatment {
  readonly name: string;
  readonly change?: (signal: Signal) => Signal;
  readonly seconds?: readonly [number, number];
  /** `own`: the mean of the electrodes that are sent is subtracted. A name: that electrode, which is not sent. */
  readonly reference?: string;
  /** What happened to one electrode, the one that the network prefers among those sent; see `spoiled`. */
  readonly electrode?: 'noisy' | 'interpolated';
  /** Whether each channel of each trial has a mean of 0 and a standard deviation of 1. */
  readonly standardised?: boolean;
}

const resampledTo =
  (to: number) =>
  ({ rows, rateHz: from }: Signal): Signal => ({
    rows: rows.map((row) => Float32Array.from(resample(row, 1, row.length, from, to).data)),
    rateHz: to,
  });

const filtered = ({ rows, rateHz: rate }: Signal): Signal => ({
  rows: rows.map((row) => Float32Array.from(sosfiltfilt(bandpassSos(8, 30, 4, rate), row, 1, row.length))),
  rateHz: rate,
});

const averaged = ({ rows, rateHz: rate }: Signal): Signal => {
  const mean = rows[0]!.map((_, i) => rows.reduce((sum, row) => sum + row[i]!, 0) / rows.length);
  return { rows: rows.map((row) => row.map((value, i) => value - mean[i]!)), rateHz: rate };
};

/** Mean 0, standard deviation 1. */
function standardised(row: Float32Array): Float32Array {
  const mean = row.reduce((sum, value) => sum + value, 0) / row.length;
  const deviation = deviationOf(row);
  return row.map((value) => (value - mean) / deviation);
}

function deviationOf(row: Float32Array): number {
  const mean = row.reduce((sum, value) => sum + value, 0) / row.length;
  return Math.sqrt(row.reduce((sum, value) => sum + (value - mean) ** 2, 0) / row.length);
}

/** Each channel times a number from 0.5 to 2. */
function withOtherGains({ rows, rateHz: rate }: Signal): Signal {
  const random = createRandom(5);
  return {
    rows: rows.map((row) => {
      const gain = 2 ** (2 * random() - 1);
      return row.map((value) => gain * value);
    }),
    rateHz: rate,
  };
}

/** Usual changes of a recording. */
export const treatments: readonly Treatment[] = [
  { name: 'as recorded' },
  { name: '0.5 to 2.5 s', seconds: [0.5, 2.5] },
  { name: '1 to 4 s', seconds: [1, 4] },
  { name: 'at 100 Hz', change: resampledTo(100) },
  { name: 'at 128 Hz', change: resampledTo(128) },
  { name: 'at 250 Hz', change: resampledTo(250) },
  { name: '8 to 30 Hz', change: filtered },
  { name: 'average reference', change: averaged },
  { name: 'mean of those sent', reference: 'own' },
  { name: 'reference Cz', reference: 'Cz' },
  {
    name: 'standardised channels',
    change: ({ rows, rateHz: rate }) => ({ rows: rows.map(standardised), rateHz: rate }),
  },
  { name: 'standardised trials', standardised: true },
  { name: 'other gains', change: withOtherGains },
  { name: 'one noisy electrode', electrode: 'noisy' },
  { name: 'one interpolated electrode', electrode: 'interpolated' },
];

/** Starts of the trials of movement or imagery and of those of rest in a run, seconds. */
export function startsIn(run: ReferenceRun): {
  readonly movement: readonly number[];
  readonly rest: readonly number[];
} {
  const starts = (rest: boolean): number[] =>
    set.tasks
      .filter(({ id }) => id !== 'eyes-open-closed' && id.startsWith('movement-rest') === rest)
      .flatMap((task) => findTrials(run, task, 4).filter(({ classId }) => !rest || classId.startsWith('rest')))
      .map(({ from }) => from / run.rateHz);
  return { movement: starts(false), rest: starts(true) };
}

/** Trials of some electrodes as the service reads them; null: too few electrodes are left. */
export function alteredTrials(
  { rows, rateHz: rate }: Signal,
  starts: readonly number[],
  names: readonly string[],
  { seconds: [from, to] = [0, 4], reference, electrode, standardised: isStandardised = false }: Treatment,
): Trials | null {
  const sent = names.filter((name) => name !== reference);
  if (sent.length < 2) return null;
  const length = Math.round((to - from) * rate);
  const size = sent.length * length;
  const all = new Float32Array(starts.length * size);
  const worst = movementCard.preference.find((name) => sent.includes(name));
  starts.forEach((start, t) => {
    const at = Math.round((start + from) * rate);
    const whole = (name: string): Float32Array => rows[set.electrodes.indexOf(name)]!.subarray(at, at + length);
    const piece = (name: string): Float32Array =>
      electrode && name === worst ? spoiled(name, electrode, whole, t + 1) : whole(name);
    const minus = referenceOf(reference, sent.map(piece), piece, length);
    sent.forEach((name, c) => {
      const row = piece(name).map((value, i) => value - minus[i]!);
      all.set(isStandardised ? standardised(row) : row, t * size + c * length);
    });
  });
  return sentTrials(all, sent, length, rate);
}

/** Trials [trials × channels × samples] as the service reads them. */
export function sentTrials(x: Float32Array, channelNames: readonly string[], length: number, rate: number): Trials {
  const channels = channelNames.length;
  const trials = x.length / channels / length;
  const { data, samples } = resample(x, trials * channels, length, rate, rateHz);
  return { data, trials, channels, samples, rateHz, sourceRateHz: rate, channelNames, resampler: 1 };
}

/** One trial of an electrode with white noise of ten times its size, or replaced by the mean of its four neighbours. */
function spoiled(
  name: string,
  kind: 'noisy' | 'interpolated',
  piece: (name: string) => Float32Array,
  seed: number,
): Float32Array {
  const own = piece(name);
  if (kind === 'noisy') {
    const random = createRandom(seed);
    const size = 10 * deviationOf(own) * Math.sqrt(12);
    return own.map((value) => value + size * (random() - 0.5));
  }
  const metres = (other: string): number => distance(headPositionOf(name)!, headPositionOf(other)!);
  const near = set.electrodes
    .filter((other) => other !== name && headPositionOf(other))
    .toSorted((a, b) => metres(a) - metres(b))
    .slice(0, 4)
    .map(piece);
  return own.map((_, i) => near.reduce((sum, row) => sum + row[i]!, 0) / near.length);
}

function referenceOf(
  reference: string | undefined,
  sent: readonly Float32Array[],
  piece: (name: string) => Float32Array,
  length: number,
): Float32Array {
  if (reference === undefined) return new Float32Array(length);
  if (reference !== 'own') return piece(reference);
  return sent[0]!.map((_, i) => sent.reduce((sum, row) => sum + row[i]!, 0) / sent.length);
}

/** The trials as a fit compares them with the training people. */
export function comparedData(trials: Trials): TrainingData {
  const labels = Array.from({ length: trials.trials }, (_, i) => (i % 2 ? 'a' : 'b'));
  return trainingData(extractFeatures(trials, [`movement/${movementCard.sha256}/bank`]), labels, null, {
    kind: 'motor',
  });
}

/** The sketches of all training people but one. */
export function withoutPerson(people: MovementPeople, id: string): MovementPeople {
  const { names, sketches } = people;
  const without = (table: Float32Array): Float32Array => {
    const width = table.length / names.length;
    return table.filter((_, i) => names[Math.floor(i / width)] !== id);
  };
  return {
    ...people,
    names: names.filter((name) => name !== id),
    sketches: { steps: without(sketches.steps), scale: without(sketches.scale) },
  };
}
