import { congruence, regularise } from '../../geometry/index.ts';
import { eighGeneral, matmul } from '../../linalg/index.ts';
import type { Eigen } from '../../linalg/index.ts';
import { mostDirections } from '../parts/reduced-filters.ts';

/** What spatial filters of a sub-band are made from; each part is computed where it is asked for. */
export interface Seen {
  readonly channels: number;
  /** Coefficients of a channel. */
  readonly span: number;
  /** Trials of each class. */
  readonly counts: readonly number[];
  /** Inner products of the channels of each class average [classes × channels × channels]. */
  evoked(): Float64Array;
  /** Mean inner products of the channels of the trials of each class [classes × channels × channels]. */
  powers(): Float64Array;
  /** `whitened` of these trials, once for all methods. */
  common(): Whitened;
}

/** Spatial filters [rows × channels] of a sub-band. */
export type Filters = (seen: Seen) => Float64Array;

/** Spatial filters [rows × channels], and what each has of the class averages against what is left without them. */
export interface Whitened {
  readonly filters: Float64Array;
  readonly ratios: Float64Array;
}

/** Filters that whiten what is left of the trials without their class average, the largest average response first. */
export function whitened({ channels, evoked, powers }: Omit<Seen, 'common'>): Whitened {
  const [average, all] = [sumOf(evoked(), channels), sumOf(powers(), channels)];
  const within = all.map((value, j) => value - average[j]);
  const eigen = eighGeneral(average, loaded(within, all, channels), channels);
  if (!eigen) throw new Error(noInverse);
  const count = Math.min(channels, mostDirections);
  return { filters: leading(eigen, channels, count), ratios: eigen.values.slice().reverse().subarray(0, count) };
}

/**
 * Filters that whiten the trials, each as strong as its average response can be trusted: canonical correlation of
 * trials with their template (Bin 2011). Of an average of n trials, 1 / (n − 1) of the rest is noise.
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

/** Filters of each class where classes are few, so that an ensemble of them spans more than one direction. */
const filtersPerClass = (classes: number): number => Math.max(1, Math.min(3, Math.floor(8 / classes)));

/**
 * Task-related components of every class, an ensemble (Nakanishi 2018): wᵀ·S·w largest for wᵀ·Q·w = 1, S the inner
 * products of the class average and Q those of its trials. Q leans on that of all classes as far as its trials are few
 * for its size; more than 16 channels are seen through common filters first.
 */
export function ensembleFilters(seen: Seen): Float64Array {
  const { channels, span, counts } = seen;
  const common = seen.common().filters;
  const p = common.length / channels;
  const own = congruence(common, seen.powers(), counts.length, channels, p);
  const evoked = congruence(common, seen.evoked(), counts.length, channels, p);
  const average = sumOf(own, p).map((value) => value / counts.length);
  const present = [...counts.keys()].filter((k) => counts[k] > 0);
  const each = Math.min(p, filtersPerClass(present.length));
  const rows = new Float64Array(present.length * each * p);
  present.forEach((k, at) => {
    const trust = (counts[k] * span) / (counts[k] * span + p);
    const power = average.map((value, j) => trust * own[k * p * p + j] + (1 - trust) * value);
    const eigen = eighGeneral(evoked.subarray(k * p * p, (k + 1) * p * p), loaded(power, average, p), p);
    if (!eigen) throw new Error(noInverse);
    rows.set(leading(eigen, p, each), at * each * p);
  });
  return matmul(rows, common, present.length * each, p, channels);
}

/** The `count` vectors of the largest values as rows [count × n]. */
const leading = ({ vectors }: Eigen, n: number, count: number): Float64Array =>
  Float64Array.from({ length: count * n }, (_, at) => vectors[(at % n) * n + n - 1 - Math.floor(at / n)]);

const noInverse = 'The covariance of the training trials has no inverse.';

/** Sum [n × n] of matrices that follow each other. */
function sumOf(matrices: Float64Array, n: number): Float64Array {
  const sum = new Float64Array(n * n);
  for (let at = 0; at < matrices.length; at += sum.length)
    for (let j = 0; j < sum.length; j += 1) sum[j] += matrices[at + j];
  return sum;
}

/** A matrix with a millionth of the mean variance of another added to its diagonal, so that it has an inverse. */
function loaded(matrix: Float64Array, typical: Float64Array, p: number): Float64Array {
  let trace = 0;
  for (let i = 0; i < p; i += 1) trace += typical[i * p + i] / p;
  const out = regularise(matrix.slice(), 1, p, 1e-9);
  for (let i = 0; i < p; i += 1) out[i * p + i] += 1e-6 * trace;
  return out;
}
