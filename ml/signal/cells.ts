import { allocate, allocateDoubles, kernels, place, placeIntegers, viewDoubles, viewFloats } from '../kernels/index.ts';
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
export const mostRows = 8;

type Sent = Pick<Trials, 'data' | 'channels' | 'samples' | 'rateHz' | 'channelNames'>;

/** Size of the short-time spectra of one trial. */
export interface CellSize {
  readonly segments: number;
  /** Frequencies, Hz. */
  readonly frequencies: readonly number[];
  readonly rows: number;
}

/** Computes short-time spectra of trials of one shape, in the memory of the kernels. */
export interface Cells extends CellSize {
  /** Address of the spectra of the last trial [segments × frequencies × rows × 2 (real, imaginary)]. */
  readonly at: number;
  /** Computes the spectra of a trial. */
  read(trial: number): void;
  /**
   * Gives all frequencies of the trial the same power, then all directions of its rows (with shrinkage). The stationary
   * part of a trial, which trials of one recording have in common, is thereby removed. Works in place.
   *
   * @returns Covariances of the rows before the whitening, as sums over segments [frequencies × rows × rows], lower
   *   triangle. Valid until the next call.
   */
  whiten(): Float64Array;
}

/** Weight of a multiple of the identity in the covariance of a trial, which has few samples. */
const shrinkage = 0.3;

/**
 * Short-time Fourier transforms of trials: Hann windows of 0.5 s, symmetric about the middle of the trial, phases
 * relative to the middle of each window. So a trial reversed in time has the conjugate values in reverse order. From
 * three channels on, the rows are re-referenced to the average of the channels. More than eight channels are mixed to
 * eight rows, with signs that depend on the names of the channels alone. Valid inside the scope of the caller.
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
  const starts = Int32Array.from({ length: segments }, (_, s) =>
    segments === 1 ? 0 : Math.round((s * (length - segment)) / (segments - 1)),
  );
  const mixing = place(mixingOf(channelNames, rows));
  const waves = place(wavesOf(bins, segment));
  const begins = placeIntegers(starts);
  const signal = allocate(channels * samples * Float32Array.BYTES_PER_ELEMENT);
  const [low, read] = [allocateDoubles(length), allocateDoubles(length * mostRows)];
  const products = bins.length * rows * rows;
  const [covariances, work] = [allocateDoubles(products), allocateDoubles(rows * rows)];
  const at = allocateDoubles(segments * bins.length * rows * 2);
  const before = (samples - length * factor) >> 1;
  return {
    segments,
    rows,
    frequencies: bins.map((k) => (k * hz) / segment),
    at,
    read(trial) {
      const size = channels * samples;
      viewFloats(signal, size).set(data.subarray(trial * size, (trial + 1) * size));
      kernels().cellsOfTrial(
        signal,
        channels,
        samples,
        factor,
        before,
        length,
        mixing,
        waves,
        bins.length,
        segment,
        begins,
        segments,
        rows,
        low,
        read,
        at,
      );
    },
    whiten() {
      kernels().whitenCells(at, segments, bins.length, rows, shrinkage, covariances, work);
      return viewDoubles(covariances, products);
    },
  };
}

/** Weights [channels × mostRows] of the channels in the rows; 0 beyond the last row. */
function mixingOf(names: readonly string[], rows: number): Float64Array {
  const channels = names.length;
  const mixing = new Float64Array(channels * mostRows);
  const signOf = (seed: number, row: number): number => (spread(mix(seed, row + 1)) & 1 ? 1 : -1);
  for (let p = 0; p < rows; p += 1) {
    const own = new Float64Array(channels);
    ranked(names).forEach(({ channel, seed }, i) => {
      own[channel] = channels > rows ? signOf(seed, p) : Number(i === p);
    });
    const mean = channels < 3 ? 0 : own.reduce((a, b) => a + b, 0) / channels;
    for (let c = 0; c < channels; c += 1) mixing[c * mostRows + p] = own[c] - mean;
  }
  return mixing;
}

/**
 * Cosine and negative sine of each bin about the middle of a Hann window [bins × segment × 2], without their means: so
 * the mean of a window does not count.
 */
function wavesOf(bins: readonly number[], segment: number): Float64Array {
  const waves = new Float64Array(bins.length * segment * 2);
  const real = new Float64Array(segment);
  bins.forEach((k, f) => {
    const own = waves.subarray(2 * f * segment, 2 * (f + 1) * segment);
    for (let i = 0; i < segment; i += 1) {
      const at = i - (segment - 1) / 2;
      const weight = 0.5 + 0.5 * Math.cos((2 * Math.PI * at) / (segment + 1));
      const angle = (2 * Math.PI * k * at) / segment;
      real[i] = weight * Math.cos(angle);
      own[2 * i + 1] = -weight * Math.sin(angle);
    }
    const mean = real.reduce((a, b) => a + b, 0) / segment;
    for (let i = 0; i < segment; i += 1) own[2 * i] = real[i] - mean;
  });
  return waves;
}
