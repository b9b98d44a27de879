import { congruence, regularise } from '../../geometry/index.ts';
import { eighGeneral, matmul } from '../../linalg/index.ts';
import type { Eigen } from '../../linalg/index.ts';
import { matrixAt, matrixOf, squareOf } from '../../matrix.ts';
import type { Matrices, Matrix } from '../../matrix.ts';
import { mostDirections } from '../parts/reduced-filters.ts';

/** Statistics of the trials in a sub-band, from which spatial filters are computed; each on first use. */
export interface Seen {
  readonly channels: number;
  /** Coefficients of a channel. */
  readonly span: number;
  /** Trials of each class. */
  readonly counts: readonly number[];
  /** Inner products of the channels of each class average [classes × channels × channels]. */
  evoked(): Matrices;
  /** Mean inner products of the channels of the trials of each class [classes × channels × channels]. */
  powers(): Matrices;
  /** `whitened` of these trials, once for all methods. */
  common(): Whitened;
}

/** Spatial filters [rows × channels] of a sub-band. */
export type Filters = (seen: Seen) => Float64Array;

/** Spatial filters [rows × channels], and for each the power of the class averages relative to the rest. */
export interface Whitened {
  readonly filters: Float64Array;
  readonly ratios: Float64Array;
}

/** Filters that whiten the trials minus their class average, those with the strongest average response first. */
export function whitened({ channels, evoked, powers }: Omit<Seen, 'common'>): Whitened {
  const [average, all] = [sumOf(evoked()), sumOf(powers())];
  const within = all.data.map((value, j) => value - average.data[j]);
  const eigen = eighGeneral(average, loaded(squareOf(within, channels), all));
  if (!eigen) throw new Error(noInverse);
  const count = Math.min(channels, mostDirections);
  return { filters: leading(eigen, count), ratios: eigen.values.slice().reverse().subarray(0, count) };
}

/**
 * Filters that whiten the trials, scaled by the reliability of their average response: canonical correlation of trials
 * with their template (Bin 2011). In an average of n trials, 1 / (n − 1) of the rest is noise.
 */
export function commonFilters(seen: Seen): Float64Array {
  const { filters, ratios } = seen.common();
  const { counts, channels } = seen;
  const trials = counts.reduce((a, b) => a + b, 0) / counts.filter((count) => count > 0).length;
  return filters.map((value, at) => {
    const row = Math.floor(at / channels);
    const trust = row === 0 ? 1 : Math.max(0, 1 - 1 / (ratios[row] * Math.max(1, trials - 1)));
    return value * Math.sqrt(trust);
  });
}

/** Number of filters per class. With few classes there are more, so that an ensemble spans more than one direction. */
const filtersPerClass = (classes: number): number => Math.max(1, Math.min(3, Math.floor(8 / classes)));

/**
 * Task-related components of every class, as an ensemble (Nakanishi 2018): w maximises wᵀ·S·w for wᵀ·Q·w = 1, where S
 * are the inner products of the class average and Q those of its trials. Q shrinks towards that of all classes if its
 * trials are few for its size. More than 16 channels are first reduced by common filters.
 */
export function ensembleFilters(seen: Seen): Float64Array {
  const { channels, span, counts } = seen;
  const common = matrixOf(seen.common().filters, channels);
  const p = common.rows;
  const own = congruence(common, seen.powers());
  const evoked = congruence(common, seen.evoked());
  const average = sumOf(own).data.map((value) => value / counts.length);
  const present = [...counts.keys()].filter((k) => counts[k] > 0);
  const each = Math.min(p, filtersPerClass(present.length));
  const rows = new Float64Array(present.length * each * p);
  present.forEach((k, at) => {
    const trust = (counts[k] * span) / (counts[k] * span + p);
    const power = average.map((value, j) => trust * own.data[k * p * p + j] + (1 - trust) * value);
    const eigen = eighGeneral(matrixAt(evoked, k), loaded(squareOf(power, p), squareOf(average, p)));
    if (!eigen) throw new Error(noInverse);
    rows.set(leading(eigen, each), at * each * p);
  });
  return matmul(matrixOf(rows, p, present.length * each), common).data;
}

/** The eigenvectors of the `count` largest values as rows [count × n]. */
const leading = ({ vectors: { data, rows: n } }: Eigen, count: number): Float64Array =>
  Float64Array.from({ length: count * n }, (_, at) => data[(at % n) * n + n - 1 - Math.floor(at / n)]);

const noInverse = 'The covariance of the training trials has no inverse.';

/** Sum [n × n] of a batch of matrices. */
function sumOf({ data, rows: n }: Matrices): Matrix {
  const sum = new Float64Array(n * n);
  for (let at = 0; at < data.length; at += sum.length) for (let j = 0; j < sum.length; j += 1) sum[j] += data[at + j];
  return squareOf(sum, n);
}

/** Adds a millionth of the mean variance of `typical` to the diagonal, so that the matrix is invertible. */
function loaded(matrix: Matrix, typical: Matrix): Matrix {
  const p = matrix.rows;
  let trace = 0;
  for (let i = 0; i < p; i += 1) trace += typical.data[i * p + i] / p;
  const out = regularise(squareOf(matrix.data.slice(), p), 1e-9);
  for (let i = 0; i < p; i += 1) out.data[i * p + i] += 1e-6 * trace;
  return out;
}
