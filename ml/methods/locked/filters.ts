import { congruence, regularise } from '../../geometry/index.ts';
import { eighGeneral, gram, matmul } from '../../linalg/index.ts';
import type { Eigen } from '../../linalg/index.ts';
import { mostDirections } from '../parts/reduced-filters.ts';

/** What spatial filters of a sub-band are made from. */
export interface Seen {
  readonly channels: number;
  /** Average of each class [channels × coefficients]. */
  readonly means: readonly Float64Array[];
  /** Mean inner products of the channels of the trials of each class [channels × channels]. */
  readonly powers: readonly Float64Array[];
  /** Trials of each class. */
  readonly counts: readonly number[];
}

/** Spatial filters [rows × channels] of a sub-band. */
export type Filters = (seen: Seen) => Float64Array;

/** Filters that whiten what is left of the trials without their class average, the largest average response first. */
function whitened({ channels, means, powers }: Seen): { filters: Float64Array; ratios: Float64Array } {
  const evoked = means.map((mean) => gram(mean, channels, mean.length / channels));
  const within = sumOf(powers.map((power, k) => power.map((value, j) => value - evoked[k][j])));
  const eigen = eighGeneral(sumOf(evoked), loaded(within, sumOf(powers), channels), channels);
  if (!eigen) throw new Error(noInverse);
  const count = Math.min(channels, mostDirections);
  return { filters: leading(eigen, channels, count), ratios: eigen.values.slice().reverse().subarray(0, count) };
}

/**
 * Filters that whiten the trials, each as strong as its average response can be trusted: canonical correlation of
 * trials with their template (Bin 2011). Of an average of n trials, 1 / (n − 1) of the rest is noise.
 */
export function commonFilters(seen: Seen): Float64Array {
  const { filters, ratios } = whitened(seen);
  const { counts, channels } = seen;
  const trials = counts.reduce((a, b) => a + b, 0) / counts.filter((count) => count > 0).length;
  return filters.map((value, at) => {
    const row = Math.floor(at / channels);
    const trust = row === 0 ? 1 : Math.max(0, 1 - 1 / (ratios[row] * Math.max(1, trials - 1)));
    return value * Math.sqrt(trust);
  });
}

/** Filters of each class where classes are few, so that an ensemble of them spans more than one direction. */
const filtersPerClass = (classes: number): number => Math.max(1, Math.min(3, Math.floor(8 / classes)));

/**
 * Task-related components of every class, an ensemble (Nakanishi 2018): wᵀ·S·w largest for wᵀ·Q·w = 1, S the inner
 * products of the class average and Q those of its trials. Q leans on that of all classes as far as its trials are few
 * for its size; more than 16 channels are seen through common filters first.
 */
export function ensembleFilters(seen: Seen): Float64Array {
  const { channels, means, powers, counts } = seen;
  const common = whitened(seen).filters;
  const p = common.length / channels;
  const own = powers.map((power) => congruence(common, power, 1, channels, p));
  const average = sumOf(own).map((value) => value / own.length);
  const each = Math.min(p, filtersPerClass(counts.filter((count) => count > 0).length));
  const rows = means.flatMap((mean, k) => {
    if (counts[k] === 0) return [];
    const span = mean.length / channels;
    const trust = (counts[k] * span) / (counts[k] * span + p);
    const power = own[k].map((value, j) => trust * value + (1 - trust) * average[j]);
    const evoked = gram(matmul(common, mean, p, channels, span), p, span);
    const eigen = eighGeneral(evoked, loaded(power, average, p), p);
    if (!eigen) throw new Error(noInverse);
    return [...matmul(leading(eigen, p, each), common, each, p, channels)];
  });
  return Float64Array.from(rows);
}

/** The `count` vectors of the largest values as rows [count × n]. */
const leading = ({ vectors }: Eigen, n: number, count: number): Float64Array =>
  Float64Array.from({ length: count * n }, (_, at) => vectors[(at % n) * n + n - 1 - Math.floor(at / n)]);

const noInverse = 'The covariance of the training trials has no inverse.';

const sumOf = (matrices: readonly Float64Array[]): Float64Array => {
  const sum = matrices[0].slice();
  for (const matrix of matrices.slice(1)) for (let j = 0; j < sum.length; j += 1) sum[j] += matrix[j];
  return sum;
};

/** A matrix with a millionth of the mean variance of another added to its diagonal, so that it has an inverse. */
function loaded(matrix: Float64Array, typical: Float64Array, p: number): Float64Array {
  let trace = 0;
  for (let i = 0; i < p; i += 1) trace += typical[i * p + i] / p;
  const out = regularise(matrix.slice(), 1, p, 1e-9);
  for (let i = 0; i < p; i += 1) out[i * p + i] += 1e-6 * trace;
  return out;
}
