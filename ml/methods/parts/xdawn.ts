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
import { eighGeneral, gram, matmul } from '../../linalg/index.ts';
import type { Features } from '../../types.ts';
import type { FitContext, Head } from '../types.ts';
import type { Workspace } from '../workspace.ts';
import { atMostChannels, atMostClasses, firstOf } from '../reasons.ts';
import { needsOf } from './needs.ts';
import { meanOfRows } from './spd.ts';
import type { Representation } from './types.ts';

const set = 'erp/epoch';

const stackable = firstOf(
  atMostChannels(16, 'stacked with every class average'),
  atMostClasses(3, 'stacked with every class average'),
);

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
    fit(context) {
      const templates = filtered ? xdawnTemplates(context) : averages(context);
      const { matrices, side } = covariancesOf(templates, context.data.features, context.rows, context.workspace);
      const count = context.rows.length;
      const mean = meanRiemann(matrices, count, side, {
        initial: meanLogEuclid(matrices, count, side),
        tolerance: 1e-4 * side,
        maxIterations: 1,
      });
      return { ...templates, whitener: invsqrtm(mean, side) };
    },
    apply(head, features, rows, workspace) {
      const { matrices, side } = covariancesOf(head as Head & Templates, features, rows, workspace);
      const some = (_: number, from: number, count: number): Float64Array =>
        matrices.subarray(from * side * side, (from + count) * side * side);
      return {
        x: logVectorsThrough(head['whitener'] as Float64Array, { blocks: 1, n: rows.length, p: side, q: side }, some),
        dimension: packedSize(side),
      };
    },
  };
}

const samplesOf = (features: Features): number => features.sets[set].length / features.trials / features.shape.channels;

/** The stacked covariances of some trials, once for fitting and applying. */
function covariancesOf(
  templates: Templates,
  features: Features,
  rows: Int32Array,
  workspace: Workspace,
): { matrices: Float64Array; side: number } {
  const { channels, samples: observations } = features.shape;
  const samples = samplesOf(features);
  const { filters, prototypes } = templates;
  const matrices = workspace.once([filters, features, rows], 'stacked', () =>
    stackedCovariances(features.sets[set], rows, channels, samples, { filters, prototypes }, observations),
  );
  return { matrices, side: prototypes.length / samples + filters.length / channels };
}

/** Class averages [classes × channels × samples] of some trials. */
function evoked({ data: { features, labels, classes }, rows }: FitContext): Float64Array {
  const values = features.sets[set];
  const width = values.length / features.trials;
  const out = new Float64Array(classes.length * width);
  classes.forEach((_, k) =>
    out.set(
      meanOfRows(
        values,
        width,
        0,
        width,
        rows.filter((row) => labels[row] === k),
      ),
      k * width,
    ),
  );
  return out;
}

function averages(context: FitContext): Templates {
  const { channels } = context.data.features.shape;
  const filters = new Float64Array(channels * channels);
  for (let c = 0; c < channels; c += 1) filters[c * channels + c] = 1;
  return { filters, prototypes: evoked(context) };
}

/** Inner products of the channels of every trial, packed, once for all folds. */
function gramsOf(features: Features, workspace: Workspace): Float64Array {
  return workspace.once([features], `grams:${set}`, () => {
    const { channels } = features.shape;
    const width = features.sets[set].length / features.trials;
    const grams = new Float64Array(features.trials * packedSize(channels));
    for (let t = 0; t < features.trials; t += 1) {
      grams.set(
        packUpper(
          gram(features.sets[set].subarray(t * width, (t + 1) * width), channels, width / channels),
          1,
          channels,
        ),
        t * packedSize(channels),
      );
    }
    return grams;
  });
}

function totalCovariance({ data: { features }, rows, workspace }: FitContext): Float64Array {
  const { channels } = features.shape;
  const grams = gramsOf(features, workspace);
  const size = packedSize(channels);
  const total = meanOfRows(grams, size, 0, size, rows).map((value) => value / samplesOf(features));
  return regularise(unpackUpper(total, 1, channels), 1, channels, 1e-6);
}

function xdawnTemplates(context: FitContext): Templates {
  const { features, classes } = context.data;
  const { channels } = features.shape;
  const samples = samplesOf(features);
  const total = totalCovariance(context);
  const means = evoked(context);
  const each = filtersPerClass(channels, classes.length);
  const filters = new Float64Array(each * classes.length * channels);
  const prototypes = new Float64Array(each * classes.length * samples);
  classes.forEach((_, k) => {
    const mean = means.subarray(k * channels * samples, (k + 1) * channels * samples);
    const own = gram(mean, channels, samples);
    for (let j = 0; j < own.length; j += 1) own[j] /= samples;
    const eigen = eighGeneral(own, total, channels);
    if (!eigen)
      throw new Error('The covariance of the training trials is singular: a channel is flat or a copy of another.');
    for (let f = 0; f < each; f += 1) {
      const at = (k * each + f) * channels;
      let norm = 0;
      for (let c = 0; c < channels; c += 1) norm += eigen.vectors[c * channels + channels - 1 - f] ** 2;
      for (let c = 0; c < channels; c += 1)
        filters[at + c] = eigen.vectors[c * channels + channels - 1 - f] / Math.sqrt(norm);
    }
    prototypes.set(
      matmul(filters.subarray(k * each * channels, (k + 1) * each * channels), mean, each, channels, samples),
      k * each * samples,
    );
  });
  return { filters, prototypes };
}
