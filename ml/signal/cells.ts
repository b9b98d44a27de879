import { matmulByRows } from '../linalg/index.ts';
import { matrixOf } from '../matrix.ts';
import type { Matrix } from '../matrix.ts';
import type { Trials } from '../types.ts';
import { mix, ranked, spread } from './hash.ts';

/** Rate near which a trial is read: whole samples are averaged. */
const readHz = 128;
/** Band that is read, Hz. Below it baselines drift; above it added noise is larger than EEG. */
const lowestHz = 2;
const highestHz = 30;
/** Length of a segment, and about the distance between two, seconds. */
const segmentSeconds = 0.5;
const stepSeconds = 0.25;
const mostSegments = 40;
/** Most rows that are read. More channels are mixed. */
const mostRows = 8;

type Sent = Pick<Trials, 'data' | 'channels' | 'samples' | 'rateHz' | 'channelNames'>;

/** Size of the short-time spectra of one trial. */
export interface CellSize {
  readonly segments: number;
  /** Frequencies, Hz. */
  readonly frequencies: readonly number[];
  readonly rows: number;
}

/** Computes short-time spectra of trials of one shape. */
export interface Cells extends CellSize {
  /** Spectra of one trial [segments × frequencies × rows × 2 (real, imaginary)], valid until the next call. */
  of(trial: number): Float64Array;
}

/**
 * Short-time Fourier transforms of trials: Hann windows of 0.5 s, symmetric about the middle of the trial, phases
 * relative to the middle of each window. So a trial reversed in time has the conjugate values in reverse order. From
 * three channels on, the rows are re-referenced to the average of the channels. More than eight channels are mixed to
 * eight rows, with signs that depend on the names of the channels alone.
 */
export function cellsOf({ data, channels, samples, rateHz, channelNames }: Sent): Cells {
  const factor = Math.max(1, Math.round(rateHz / readHz));
  const hz = rateHz / factor;
  const length = Math.floor(samples / factor);
  const segment = Math.min(length, Math.max(4, Math.round(segmentSeconds * hz)));
  const wanted = 1 + Math.max(1, Math.round((length - segment) / (stepSeconds * hz)));
  const segments = length <= segment ? 1 : Math.min(mostSegments, wanted);
  const top = Math.min(highestHz, 0.45 * hz);
  const bins = Array.from({ length: segment }, (_, k) => k).filter(
    (k) => (k * hz) / segment >= lowestHz - 1e-9 && (k * hz) / segment <= top + 1e-9,
  );
  const rows = Math.min(mostRows, channels);
  const mixing = mixingOf(channelNames, rows);
  const waves = wavesOf(bins, segment);
  const read = new Float64Array(rows * length);
  const low = new Float64Array(length);
  const windows = matrixOf(new Float64Array(segments * rows * segment), segment);
  const starts = Array.from({ length: segments }, (_, s) =>
    segments === 1 ? 0 : Math.round((s * (length - segment)) / (segments - 1)),
  );
  const out = new Float64Array(segments * bins.length * rows * 2);
  const before = (samples - length * factor) >> 1;
  return {
    segments,
    rows,
    frequencies: bins.map((k) => (k * hz) / segment),
    of(trial) {
      read.fill(0);
      for (let c = 0; c < channels; c += 1) {
        averageSamples(data, (trial * channels + c) * samples + before, factor, low);
        removeTrend(low);
        for (let p = 0; p < rows; p += 1) addTimes(read, p * length, low, mixing[p * channels + c]);
      }
      starts.forEach((start, s) => {
        for (let p = 0, from = start; p < rows; p += 1, from += length)
          windows.data.set(read.subarray(from, from + segment), (s * rows + p) * segment);
      });
      writeCells(matmulByRows(windows, waves), rows, out);
      return out;
    },
  };
}

/** Weights [rows × channels] of the channels in the rows. */
function mixingOf(names: readonly string[], rows: number): Float64Array {
  const channels = names.length;
  const mixing = new Float64Array(rows * channels);
  const signOf = (seed: number, row: number): number => (spread(mix(seed, row + 1)) & 1 ? 1 : -1);
  for (let p = 0; p < rows; p += 1) {
    const own = mixing.subarray(p * channels, (p + 1) * channels);
    ranked(names).forEach(({ channel, seed }, i) => {
      own[channel] = channels > rows ? signOf(seed, p) : Number(i === p);
    });
    const mean = channels < 3 ? 0 : own.reduce((a, b) => a + b, 0) / channels;
    for (let c = 0; c < channels; c += 1) own[c] -= mean;
  }
  return mixing;
}

/**
 * Cosine and negative sine of each bin about the middle of a Hann window [2 · bins × segment], without their means: so
 * the mean of a window does not count.
 */
function wavesOf(bins: readonly number[], segment: number): Matrix {
  const waves = matrixOf(new Float64Array(bins.length * 2 * segment), segment);
  bins.forEach((k, f) => {
    const [real, imaginary] = [0, 1].map((part) =>
      waves.data.subarray((2 * f + part) * segment, (2 * f + part + 1) * segment),
    );
    for (let i = 0; i < segment; i += 1) {
      const at = i - (segment - 1) / 2;
      const weight = 0.5 + 0.5 * Math.cos((2 * Math.PI * at) / (segment + 1));
      const angle = (2 * Math.PI * k * at) / segment;
      real[i] = weight * Math.cos(angle);
      imaginary[i] = -weight * Math.sin(angle);
    }
    const mean = real.reduce((a, b) => a + b, 0) / segment;
    for (let i = 0; i < segment; i += 1) real[i] -= mean;
  });
  return waves;
}

function averageSamples(data: Float32Array, from: number, factor: number, out: Float64Array): void {
  for (let i = 0, at = from; i < out.length; i += 1) {
    let sum = 0;
    for (let k = 0; k < factor; k += 1, at += 1) sum += data[at];
    out[i] = sum / factor;
  }
}

function removeTrend(x: Float64Array): void {
  const middle = (x.length - 1) / 2;
  let sum = 0;
  let slope = 0;
  let square = 0;
  for (let i = 0; i < x.length; i += 1) {
    sum += x[i];
    slope += (i - middle) * x[i];
    square += (i - middle) ** 2;
  }
  const [mean, rise] = [sum / x.length, square > 0 ? slope / square : 0];
  for (let i = 0; i < x.length; i += 1) x[i] -= mean + rise * (i - middle);
}

function addTimes(out: Float64Array, to: number, x: Float64Array, weight: number): void {
  if (weight !== 0) for (let i = 0; i < x.length; i += 1) out[to + i] += weight * x[i];
}

/** Brings values [segments × rows × frequencies × 2] into the order of cells [segments × frequencies × rows × 2]. */
function writeCells({ data, columns }: Matrix, rows: number, out: Float64Array): void {
  for (let from = 0, segment = 0; from < data.length; segment += rows * columns)
    for (let p = 0; p < rows; p += 1)
      for (let f = 0, at = segment + 2 * p; f < columns; f += 2, from += 2, at += 2 * rows) {
        out[at] = data[from];
        out[at + 1] = data[from + 1];
      }
}

/**
 * Gives all frequencies of a trial the same power, then all directions of its rows (with shrinkage). The stationary part
 * of a trial, which trials of one recording have in common, is thereby removed. Works in place.
 */
export function whiten(cells: Float64Array, { segments, frequencies: { length: bins }, rows }: CellSize): void {
  for (let f = 0; f < bins; f += 1) {
    let power = 0;
    for (let s = 0; s < segments; s += 1)
      for (let at = (s * bins + f) * rows * 2, end = at + 2 * rows; at < end; at += 1) power += cells[at] ** 2;
    const scale = power > 0 ? 1 / Math.sqrt(power) : 0;
    for (let s = 0; s < segments; s += 1)
      for (let at = (s * bins + f) * rows * 2, end = at + 2 * rows; at < end; at += 1) cells[at] *= scale;
  }
  const factor = factorOf(cells, rows);
  if (!factor) return;
  for (let cell = 0; cell < cells.length; cell += 2 * rows)
    for (let part = 0; part < 2; part += 1)
      for (let i = 0; i < rows; i += 1) {
        const at = cell + 2 * i + part;
        for (let k = 0; k < i; k += 1) cells[at] -= factor[i * rows + k] * cells[cell + 2 * k + part];
        cells[at] /= factor[i * rows + i];
      }
}

/** Weight of a multiple of the identity in the covariance of a trial, which has few samples. */
const shrinkage = 0.3;

/** Lower Cholesky factor of the shrunk covariance of the rows; null if they carry nothing. */
function factorOf(cells: Float64Array, rows: number): Float64Array | null {
  const covariance = new Float64Array(rows * rows);
  for (let cell = 0; cell < cells.length; cell += 2 * rows)
    for (let i = 0; i < rows; i += 1)
      for (let j = 0; j <= i; j += 1) {
        const [a, b] = [cell + 2 * i, cell + 2 * j];
        covariance[i * rows + j] += cells[a] * cells[b] + cells[a + 1] * cells[b + 1];
      }
  let trace = 0;
  for (let i = 0; i < rows; i += 1) trace += covariance[i * rows + i];
  if (!(trace > 0)) return null;
  for (let i = 0; i < rows; i += 1) {
    for (let j = 0; j <= i; j += 1) covariance[i * rows + j] *= 1 - shrinkage;
    covariance[i * rows + i] += (shrinkage * trace) / rows;
    for (let j = 0; j <= i; j += 1) {
      let sum = covariance[i * rows + j];
      for (let k = 0; k < j; k += 1) sum -= covariance[i * rows + k] * covariance[j * rows + k];
      covariance[i * rows + j] = i === j ? Math.sqrt(sum) : sum / covariance[j * rows + j];
    }
  }
  return covariance;
}
