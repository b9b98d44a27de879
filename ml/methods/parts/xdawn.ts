import {
  invsqrtm,
  logVectorsThrough,
  meanLogEuclid,
  meanRiemann,
  packUpper,
  packedSize,
  regularise,
  stackedCovariances,
  unpackUpper,
} from '../../geometry/index.ts';
import type { Templates } from '../../geometry/index.ts';
import { cholesky, eighFactored, gram, matmul } from '../../linalg/index.ts';
import type { Features } from '../../types.ts';
import type { Head, TrainingData } from '../types.ts';
import type { Workspace } from '../workspace.ts';
import { atMostChannels, atMostClasses, firstOf } from '../reasons.ts';
import { needsOf } from './needs.ts';
import { reducedTo } from './reduced-filters.ts';
import { meanOfRows } from './spd.ts';
import type { Representation } from './types.ts';

/** The time course of the channels: mean amplitudes of 40 windows a second, which a deferred fit holds too. */
const set = 'erp/windows/40';

const stackable = firstOf(
  atMostChannels(16, 'stacked with every class average'),
  atMostClasses(3, 'stacked with every class average'),
);

/** With more classes than this, and than channels, trials are seen through as many filters as span those of all. */
const manyClasses = 8;

/** Spatial filters per class: four, fewer where channels are fewer or classes many. */
const filtersPerClass = (channels: number, classes: number): number =>
  Math.max(1, Math.min(4, channels, Math.floor(8 / classes)));

/**
 * Covariances of each trial stacked under the class averages, in the tangent space at their mean: with xDAWN filters
 * (Rivet 2009; Congedo, Barachant & Bhatia 2017), or with all channels (`filtered: false`, ERP covariances). Shrinkage
 * counts the samples of the trial, not those kept of it.
 */
export function erpCovariances({ filtered }: { readonly filtered: boolean }): Representation {
  return {
    name: `erp covariances:${filtered}`,
    unreadable: filtered ? needsOf(set) : firstOf(stackable, needsOf(set)),
    featureSets: () => [set],
    fit({ data, rows, workspace }) {
      const epochs = epochsOf(data.features);
      const means = evoked(epochs, data, rows);
      const templates = filtered ? xdawnTemplates(epochs, means, rows, workspace) : averages(epochs, means);
      const { matrices, side } = covariancesOf(templates, epochs, rows, workspace);
      const count = rows.length;
      const mean = meanRiemann(matrices, count, side, {
        initial: meanLogEuclid(matrices, count, side),
        tolerance: 1e-4 * side,
        maxIterations: 1,
      });
      return { ...templates, whitener: invsqrtm(mean, side) };
    },
    apply(head, features, rows, workspace) {
      const { matrices, side } = covariancesOf(head as Head & Templates, epochsOf(features), rows, workspace);
      const some = (_: number, from: number, count: number, out: Float64Array): void =>
        out.set(matrices.subarray(from * side * side, (from + count) * side * side));
      return {
        x: logVectorsThrough(head['whitener'] as Float64Array, { blocks: 1, n: rows.length, p: side, q: side }, some),
        dimension: packedSize(side),
      };
    },
  };
}

/** Time courses of all trials [trials × channels × samples]. */
interface Epochs {
  readonly values: Float64Array;
  readonly trials: number;
  readonly channels: number;
  readonly samples: number;
  /** Samples of the signal they were taken from. */
  readonly observations: number;
}

function epochsOf({ sets, trials, shape }: Features): Epochs {
  const { channels, samples: observations } = shape;
  return { values: sets[set], trials, channels, samples: sets[set].length / trials / channels, observations };
}

/** The stacked covariances of some trials, once for fitting and applying. */
function covariancesOf(
  templates: Templates,
  { values, channels, samples, observations }: Epochs,
  rows: Int32Array,
  workspace: Workspace,
): { matrices: Float64Array; side: number } {
  const { filters, prototypes } = templates;
  const matrices = workspace.once([filters, values, rows], 'stacked', () =>
    stackedCovariances(values, rows, channels, samples, { filters, prototypes }, observations),
  );
  return { matrices, side: prototypes.length / samples + filters.length / channels };
}

/** Averages of the classes, one [channels × samples] each, of some trials. */
function evoked(
  { values, channels, samples }: Epochs,
  { labels, classes }: TrainingData,
  rows: Int32Array,
): readonly Float64Array[] {
  const size = channels * samples;
  return classes.map((_, k) =>
    meanOfRows(
      values,
      size,
      0,
      size,
      rows.filter((row) => labels[row] === k),
    ),
  );
}

function averages({ channels, samples }: Epochs, means: readonly Float64Array[]): Templates {
  const filters = new Float64Array(channels * channels);
  for (let c = 0; c < channels; c += 1) filters[c * channels + c] = 1;
  const prototypes = new Float64Array(means.length * channels * samples);
  means.forEach((mean, k) => prototypes.set(mean, k * channels * samples));
  return { filters, prototypes };
}

/** Inner products of the channels of every trial, packed, once for all folds. */
function gramsOf({ values, trials, channels, samples }: Epochs, workspace: Workspace): Float64Array {
  return workspace.once([values], 'grams', () => {
    const [size, packed] = [channels * samples, packedSize(channels)];
    const grams = new Float64Array(trials * packed);
    for (let t = 0; t < trials; t += 1)
      grams.set(packUpper(gram(values.subarray(t * size, (t + 1) * size), channels, samples), 1, channels), t * packed);
    return grams;
  });
}

function totalCovariance(epochs: Epochs, rows: Int32Array, workspace: Workspace): Float64Array {
  const { channels, samples } = epochs;
  const size = packedSize(channels);
  const total = meanOfRows(gramsOf(epochs, workspace), size, 0, size, rows);
  for (let i = 0; i < total.length; i += 1) total[i] /= samples;
  return regularise(unpackUpper(total, 1, channels), 1, channels, 1e-6);
}

/**
 * The filters [count × channels], of length 1, through which the average of a class [channels × samples] is greatest
 * beside all trials, whose covariance has this Cholesky factor.
 */
function filtersOf(mean: Float64Array, factor: Float64Array, channels: number, count: number): Float64Array {
  const samples = mean.length / channels;
  const own = gram(mean, channels, samples);
  for (let j = 0; j < own.length; j += 1) own[j] /= samples;
  const { vectors } = eighFactored(own, factor, channels);
  const filters = new Float64Array(count * channels);
  for (let f = 0; f < count; f += 1) {
    const column = channels - 1 - f;
    let norm = 0;
    for (let c = 0; c < channels; c += 1) norm += vectors[c * channels + column] ** 2;
    for (let c = 0; c < channels; c += 1) filters[f * channels + c] = vectors[c * channels + column] / Math.sqrt(norm);
  }
  return filters;
}

function xdawnTemplates(
  epochs: Epochs,
  means: readonly Float64Array[],
  rows: Int32Array,
  workspace: Workspace,
): Templates {
  const { channels, samples } = epochs;
  const factor = cholesky(totalCovariance(epochs, rows, workspace), channels);
  if (!factor)
    throw new Error('The covariance of the training trials is singular: a channel is flat or a copy of another.');
  const each = filtersPerClass(channels, means.length);
  const filters = new Float64Array(each * means.length * channels);
  const prototypes = new Float64Array(each * means.length * samples);
  for (const [k, mean] of means.entries()) {
    const own = filters.subarray(k * each * channels, (k + 1) * each * channels);
    own.set(filtersOf(mean, factor, channels, each));
    prototypes.set(matmul(own, mean, each, channels, samples), k * each * samples);
  }
  const many = means.length > Math.max(manyClasses, channels);
  return { filters: many ? reducedTo(channels, filters, channels) : filters, prototypes };
}
