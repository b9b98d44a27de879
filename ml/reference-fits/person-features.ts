import { packedSize } from '../geometry/index.ts';
import { bandpassSos, lagOf, meanSquareStep, resample, sosfiltfilt } from '../signal/index.ts';
import { toEnd } from '../steps.ts';
import type { Steps } from '../steps.ts';
import { readings, referenceRateHz } from './readings.ts';
import type { ReferenceReading } from './readings.ts';
import type { PersonFeatures, ReferenceSignal, ReferenceTaskShape } from './types.ts';

/** Order of the Butterworth filters, that of the feature sets. */
const order = 4;

/** A run filtered as a whole at the working rate. */
interface Filtered {
  /** [electrodes × samples] */
  readonly data: Float64Array;
  /** The same before the filter. */
  readonly raw: Float32Array;
  readonly electrodes: number;
  readonly samples: number;
}

/**
 * Features of one person. Every run is resampled and filtered as a whole. Its stretches are cut into consecutive
 * slices: of each, the second moments or the mean of all electrodes. A stretch has as many whole slices as fit in it
 * and in the run. Throws RangeError if runs have other electrodes. Yields after each run.
 */
export function* personInSteps(
  person: string,
  runs: readonly ReferenceSignal[],
  task: ReferenceTaskShape,
): Steps<PersonFeatures> {
  const reading = readings[task.kind];
  const [{ electrodes } = { electrodes: [] as readonly string[] }] = runs;
  const width = reading.kind === 'moments' ? packedSize(electrodes.length) : electrodes.length;
  const classIds: string[] = [];
  const names: string[] = [];
  const first: number[] = [0];
  const parts: Float32Array[] = [];
  const steps: Float32Array[] = [];
  for (const run of runs) {
    if (run.electrodes.join() !== electrodes.join())
      throw new RangeError(`Run ${run.run} of ${person} has other electrodes than run ${runs[0].run}.`);
    const filtered = filteredRun(run, reading);
    for (const { classId, from, samples } of run.stretches) {
      const toRate = referenceRateHz / run.rateHz;
      const begin = Math.round(from * toRate);
      const length = Math.min(Math.round(samples * toRate), filtered.samples - begin);
      const slices = begin < 0 ? 0 : Math.floor(length / referenceRateHz / reading.seconds + 1e-9);
      if (slices < 1) continue;
      classIds.push(classId);
      names.push(run.run);
      first.push(first.at(-1)! + slices);
      for (let slice = 0; slice < slices; slice += 1) {
        const [from, to] = edgesOf(filtered, begin, slice, reading);
        parts.push(sliceOf(filtered, from, to, reading, width));
        steps.push(stepsBetween(filtered, from, to));
      }
    }
    yield;
  }
  return {
    format: 1,
    person,
    electrodes: [...electrodes],
    seconds: reading.seconds,
    kind: reading.kind,
    classIds,
    runs: names,
    first: Int32Array.from(first),
    values: joined(parts, width),
    steps: joined(steps, electrodes.length),
  };
}

/** `personInSteps` without pauses. */
export const personFeatures = (...input: Parameters<typeof personInSteps>): PersonFeatures =>
  toEnd(personInSteps(...input));

function joined(parts: readonly Float32Array[], width: number): Float32Array {
  const out = new Float32Array(parts.length * width);
  parts.forEach((part, i) => out.set(part, i * width));
  return out;
}

function filteredRun({ electrodes, signal, rateHz }: ReferenceSignal, { lowHz, highHz }: ReferenceReading): Filtered {
  const count = electrodes.length;
  const length = signal[0]?.length ?? 0;
  if (signal.length !== count || length === 0) throw new RangeError('A run holds a signal for each of its electrodes.');
  const data = new Float32Array(count * length);
  signal.forEach((row, c) => data.set(row, c * length));
  const own =
    rateHz === referenceRateHz ? { data, samples: length } : resample(data, count, length, rateHz, referenceRateHz);
  const sos = bandpassSos(lowHz, highHz, order, referenceRateHz);
  const { samples } = own;
  return { data: sosfiltfilt(sos, own.data, count, samples), raw: own.data, electrodes: count, samples };
}

/** First sample of a slice, and the first after it. */
function edgesOf({ samples }: Filtered, begin: number, slice: number, { seconds }: ReferenceReading): [number, number] {
  const edge = (at: number): number => begin + Math.round(at * seconds * referenceRateHz);
  return [edge(slice), Math.min(edge(slice + 1), samples)];
}

/**
 * Movement of each electrode, including the step into the slice, so that slices of one length add up to longer ones.
 */
function stepsBetween({ raw, electrodes, samples }: Filtered, from: number, to: number): Float32Array {
  const lag = lagOf(referenceRateHz);
  return Float32Array.from({ length: electrodes }, (_, c) =>
    meanSquareStep(raw, c * samples + Math.max(from, lag), c * samples + to, lag),
  );
}

function sliceOf(run: Filtered, from: number, to: number, reading: ReferenceReading, width: number): Float32Array {
  const out = new Float32Array(width);
  if (reading.kind === 'means') for (let c = 0; c < width; c += 1) out[c] = meanOf(run, c, from, to);
  else writeMoments(run, from, to, out);
  return out;
}

function meanOf({ data, samples }: Filtered, c: number, from: number, to: number): number {
  let sum = 0;
  for (let i = from; i < to; i += 1) sum += data[c * samples + i];
  return sum / (to - from);
}

/** Mean products of every two electrodes, packed, row-major. */
function writeMoments({ data, electrodes, samples }: Filtered, from: number, to: number, out: Float32Array): void {
  let at = 0;
  for (let a = 0; a < electrodes; a += 1) {
    const one = data.subarray(a * samples + from, a * samples + to);
    for (let b = a; b < electrodes; b += 1, at += 1) {
      const start = b * samples + from;
      let sum = 0;
      for (let i = 0; i < one.length; i += 1) sum += one[i] * data[start + i];
      out[at] = sum / one.length;
    }
  }
}
