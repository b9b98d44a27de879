import { artefacts } from '../evidence/artefacts.ts';
import { squareOf } from '../matrix.ts';
import { packUpper, packedAt, packedSize, regularise, shrinkOas } from '../geometry/index.ts';
import { detrend } from '../signal/index.ts';
import { readings, referenceRateHz, tooLong } from './readings.ts';
import type { ReferenceReading } from './readings.ts';
import type { PersonFeatures, ReferenceShape, ReferenceTaskShape } from './types.ts';
import { ReferenceUnfit } from './unfit.ts';

/** Most trials of each class of one person, spread over the recording. */
const mostPerClass = 24;

/** Trials of one person in the form of the caller's feature set, on the electrodes that both have. */
export interface PersonTrials {
  readonly person: string;
  /** Index among the classes of the task. */
  readonly labels: Int32Array;
  /** Rows that fits learn from: all but those of artefacts, which are scored like others. */
  readonly learned: Int32Array;
  /** Median over electrodes and trials of the log of an electrode's movement, microvolts. */
  readonly level: number;
  /** [trials × dimension]: packed covariances, or means [electrodes × windows]. */
  readonly values: Float64Array;
}

/** The parts of every person's features that are read for trials of one shape. */
export interface ReadShape {
  readonly reading: ReferenceReading;
  /** Names, in the caller's order. */
  readonly read: readonly string[];
  readonly notRead: readonly string[];
  /** Length of a trial, in slices and seconds. */
  readonly slices: number;
  readonly seconds: number;
  /** Samples of the caller's trials at the working rate. */
  readonly samples: number;
}

/**
 * Electrodes and number of slices that are read for a caller's trials, from `electrodes` and stretches of at most
 * `longest` slices. Throws `ReferenceUnfit` if the trials are longer than the stored time course.
 */
export function readShape(
  electrodes: readonly string[],
  longest: number,
  task: ReferenceTaskShape,
  shape: ReferenceShape,
): ReadShape {
  const reading = readings[task.kind];
  const reason = tooLong(task.kind, longest * reading.seconds, shape.seconds);
  if (reason !== null) throw new ReferenceUnfit(`This shape of trials ${reason}.`);
  const wanted = Math.max(1, Math.round(shape.seconds / reading.seconds));
  const slices = Math.min(wanted, longest);
  return {
    reading,
    read: shape.channelNames.filter((name) => electrodes.includes(name)),
    notRead: shape.channelNames.filter((name) => !electrodes.includes(name)),
    slices,
    seconds: slices * reading.seconds,
    samples: Math.round(shape.seconds * referenceRateHz),
  };
}

/** The trials of one person; classes that are not of the task are left out. */
export function trialsOf(person: PersonFeatures, task: ReferenceTaskShape, shape: ReadShape): PersonTrials {
  const places = task.classes.flatMap((id, k) =>
    spreadOut(placesOf(person, id, shape)).map((place) => ({ ...place, k })),
  );
  places.sort((a, b) => a.from - b.from);
  const at = shape.read.map((name) => person.electrodes.indexOf(name));
  const rows = places.map(({ from }) =>
    person.kind === 'moments' ? covarianceOf(person, from, at, shape) : windowsOf(person, from, at, shape),
  );
  const values = new Float64Array(rows.length * (rows[0]?.length ?? 0));
  rows.forEach((row, i) => values.set(row, i * row.length));
  const labels = Int32Array.from(places, ({ k }) => k);
  const sessions = Int32Array.from(places, ({ run }) => run);
  const steps = places.flatMap(({ from }) => stepsOfTrial(person, from, at, shape));
  const found = new Set(artefacts({ steps, channels: at.length, labels, sessions }, Int32Array.from(places.keys())));
  const learned = Int32Array.from(places.keys()).filter((row) => !found.has(row));
  const level = Float64Array.from(steps).sort()[steps.length >> 1];
  return { person: person.person, labels, learned, level, values };
}

/** First slice of a trial, and the number of its run. */
interface Place {
  readonly from: number;
  readonly run: number;
}

/** Every trial of a class. */
function placesOf({ classIds, runs, first }: PersonFeatures, id: string, { slices, reading }: ReadShape): Place[] {
  return classIds.flatMap((own, s) => {
    const fit = Math.floor((first[s + 1] - first[s]) / slices);
    if (own !== id || fit < 1) return [];
    const run = runs.indexOf(runs[s]);
    return Array.from({ length: reading.cutUp ? fit : 1 }, (_, t) => ({ from: first[s] + t * slices, run }));
  });
}

/** Log of each electrode's movement in a trial, as in the feature set `loudness`. */
function stepsOfTrial(
  { steps, electrodes }: PersonFeatures,
  from: number,
  at: readonly number[],
  { slices }: ReadShape,
) {
  return at.map((c) => {
    let square = 0;
    for (let slice = from; slice < from + slices; slice += 1) square += steps[slice * electrodes.length + c] / slices;
    return Math.log(Math.max(square, 1e-24)) / 2;
  });
}

const spreadOut = <T>(all: readonly T[]): T[] =>
  all.length <= mostPerClass
    ? [...all]
    : Array.from({ length: mostPerClass }, (_, i) => all[Math.floor(((i + 0.5) * all.length) / mostPerClass)]);

/** Covariance of consecutive slices, as the feature set computes it for a trial: shrunk (OAS), packed. */
function covarianceOf({ values, electrodes }: PersonFeatures, from: number, at: readonly number[], shape: ReadShape) {
  const [all, p] = [electrodes.length, at.length];
  const size = packedSize(all);
  const c = new Float64Array(p * p);
  for (let slice = from; slice < from + shape.slices; slice += 1) {
    for (let i = 0; i < p; i += 1) {
      for (let j = i; j < p; j += 1) {
        const [a, b] = at[i] < at[j] ? [at[i], at[j]] : [at[j], at[i]];
        c[i * p + j] += values[slice * size + packedAt(a, b, all)] / shape.slices;
      }
    }
  }
  for (let i = 0; i < p; i += 1) for (let j = 0; j < i; j += 1) c[i * p + j] = c[j * p + i];
  const summed = Math.round(shape.seconds * referenceRateHz);
  return packUpper(regularise(shrinkOas(squareOf(c, p), Math.min(shape.samples, summed)), 1e-9));
}

/** Most windows of the feature set. */
const mostWindows = 20;

/** Means of the caller's windows [electrodes × windows] of the trial without its trend. */
function windowsOf({ values, electrodes }: PersonFeatures, from: number, at: readonly number[], { slices }: ReadShape) {
  const course = Float64Array.from(
    { length: at.length * slices },
    (_, i) => values[(from + (i % slices)) * electrodes.length + at[Math.floor(i / slices)]],
  );
  const flat = slices > 2 ? detrend(course, at.length, slices) : course;
  const windows = Math.min(mostWindows, slices);
  const edge = (w: number): number => Math.round((w * slices) / windows);
  return Float64Array.from({ length: at.length * windows }, (_, i) => {
    const [c, w] = [Math.floor(i / windows), i % windows];
    let sum = 0;
    for (let s = edge(w); s < edge(w + 1); s += 1) sum += flat[c * slices + s];
    return sum / (edge(w + 1) - edge(w));
  });
}
