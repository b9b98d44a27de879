import {
  invsqrtm,
  logVectorsThrough,
  meanLogEuclid,
  meanRiemann,
  packUpper,
  packedSize,
  regularise,
  stackedCovariances,
  unpackMatrix,
} from '../../geometry/index.ts';
import type { Templates } from '../../geometry/index.ts';
import { cholesky, eighFactored, gram, matmul } from '../../linalg/index.ts';
import { asBatch, matrixAt, matrixOf, squareOf } from '../../matrix.ts';
import type { Matrices, Matrix } from '../../matrix.ts';
import type { Features } from '../../types.ts';
import type { Head, TrainingData } from '../types.ts';
import type { Workspace } from '../workspace.ts';
import { atMostChannels, atMostClasses, firstOf } from '../reasons.ts';
import { needsOf } from './needs.ts';
import { reducedTo } from './reduced-filters.ts';
import { meanOfRows } from './spd.ts';
import type { Representation } from './types.ts';

/** Time course of the channels: 40 mean amplitudes a second. A deferred fit also stores it. */
const set = 'erp/windows/40';

const stackable = firstOf(
  atMostChannels(16, 'stacked with every class average'),
  atMostClasses(3, 'stacked with every class average'),
);

/** With more classes than this and than channels, the filters are reduced to a set that spans them all. */
const manyClasses = 8;

/** Spatial filters per class: four; fewer with few channels or many classes. */
const filtersPerClass = (channels: number, classes: number): number =>
  Math.max(1, Math.min(4, channels, Math.floor(8 / classes)));

/**
 * Covariances of each trial stacked under the class averages, in the tangent space at their mean: through xDAWN
 * filters, or with all channels (`filtered: false`, ERP covariances). The shrinkage counts the samples of the signal,
 * not of the mean amplitudes that are kept.
 *
 * Source: Rivet 2009; Congedo, Barachant & Bhatia 2017.
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
      const covariances = covariancesOf(templates, epochs, rows, workspace);
      const mean = meanRiemann(covariances, {
        initial: meanLogEuclid(covariances),
        tolerance: 1e-4 * covariances.rows,
        maxIterations: 1,
      });
      return { ...templates, whitener: invsqrtm(mean).data };
    },
    apply(head, features, rows, workspace) {
      const { data, rows: side } = covariancesOf(head as Head & Templates, epochsOf(features), rows, workspace);
      const whitener = asBatch(squareOf(head['whitener'] as Float64Array, side));
      return logVectorsThrough(whitener, rows.length, (_, from, count, out) =>
        out.set(data.subarray(from * side * side, (from + count) * side * side)),
      );
    },
  };
}

/** Time courses of all trials [trials × channels × samples]. */
interface Epochs extends Matrices {
  /** Samples of the signal that they were computed from. */
  readonly observations: number;
}

function epochsOf({ sets, trials, shape }: Features): Epochs {
  const { channels, samples: observations } = shape;
  const samples = sets[set].length / trials / channels;
  return { data: sets[set], count: trials, rows: channels, columns: samples, observations };
}

/** The stacked covariances of some trials, computed once for fitting and applying. */
function covariancesOf(
  { filters, prototypes }: Templates,
  epochs: Epochs,
  rows: Int32Array,
  workspace: Workspace,
): Matrices {
  return workspace.once([filters, epochs.data, rows], 'stacked', () =>
    stackedCovariances(epochs, rows, { filters, prototypes }, epochs.observations),
  );
}

/** Averages of the classes, one [channels × samples] each, of some trials. */
function evoked(
  { data, rows: channels, columns: samples }: Epochs,
  { labels, classes }: TrainingData,
  rows: Int32Array,
): readonly Matrix[] {
  const trials = matrixOf(data, channels * samples);
  return classes.map((_, k) => {
    const own = rows.filter((row) => labels[row] === k);
    return { data: meanOfRows(trials, own), rows: channels, columns: samples };
  });
}

function averages({ rows: channels, columns: samples }: Epochs, means: readonly Matrix[]): Templates {
  const filters = new Float64Array(channels * channels);
  for (let c = 0; c < channels; c += 1) filters[c * channels + c] = 1;
  const prototypes = new Float64Array(means.length * channels * samples);
  means.forEach((mean, k) => prototypes.set(mean.data, k * channels * samples));
  return { filters, prototypes };
}

/** Inner products of the channels of every trial, packed, once for all folds. */
function gramsOf(epochs: Epochs, workspace: Workspace): Float64Array {
  return workspace.once([epochs.data], 'grams', () => {
    const packed = packedSize(epochs.rows);
    const grams = new Float64Array(epochs.count * packed);
    for (let t = 0; t < epochs.count; t += 1) grams.set(packUpper(gram(matrixAt(epochs, t))), t * packed);
    return grams;
  });
}

function totalCovariance(epochs: Epochs, rows: Int32Array, workspace: Workspace): Matrix {
  const { rows: channels, columns: samples } = epochs;
  const total = meanOfRows(matrixOf(gramsOf(epochs, workspace), packedSize(channels)), rows);
  for (let i = 0; i < total.length; i += 1) total[i] /= samples;
  return regularise(unpackMatrix(total, channels), 1e-6);
}

/**
 * Filters [count × channels], of length 1, that maximise the ratio of the power of a class average [channels × samples]
 * to that of all trials, whose covariance has the Cholesky factor `factor`.
 */
function filtersOf(mean: Matrix, factor: Matrix, count: number): Float64Array {
  const { rows: channels, columns: samples } = mean;
  const own = gram(mean);
  for (let j = 0; j < own.data.length; j += 1) own.data[j] /= samples;
  const vectors = eighFactored(own, factor).vectors.data;
  const filters = new Float64Array(count * channels);
  for (let f = 0; f < count; f += 1) {
    const column = channels - 1 - f;
    let norm = 0;
    for (let c = 0; c < channels; c += 1) norm += vectors[c * channels + column] ** 2;
    for (let c = 0; c < channels; c += 1) filters[f * channels + c] = vectors[c * channels + column] / Math.sqrt(norm);
  }
  return filters;
}

function xdawnTemplates(epochs: Epochs, means: readonly Matrix[], rows: Int32Array, workspace: Workspace): Templates {
  const { rows: channels, columns: samples } = epochs;
  const factor = cholesky(totalCovariance(epochs, rows, workspace));
  if (!factor)
    throw new Error('The covariance of the training trials is singular: a channel is flat or a copy of another.');
  const each = filtersPerClass(channels, means.length);
  const filters = new Float64Array(each * means.length * channels);
  const prototypes = new Float64Array(each * means.length * samples);
  for (const [k, mean] of means.entries()) {
    const own = filters.subarray(k * each * channels, (k + 1) * each * channels);
    own.set(filtersOf(mean, factor, each));
    prototypes.set(matmul(matrixOf(own, channels, each), mean).data, k * each * samples);
  }
  const many = means.length > Math.max(manyClasses, channels);
  return { filters: many ? reducedTo(channels, filters, channels) : filters, prototypes };
}
