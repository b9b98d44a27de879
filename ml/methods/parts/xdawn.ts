import { congruence, invsqrtm, logm, meanLogEuclid, meanRiemann, packUpper, packedSize, regularise, shrinkOas } from '../../geometry/index.ts';
import { eighGeneral, gram, matmul } from '../../linalg/index.ts';
import { rowsOf } from '../../features/index.ts';
import type { FitContext, Head } from '../types.ts';
import type { Representation } from './types.ts';

const set = 'erp/epoch';

/** Spatial filters per class: four, fewer where channels are fewer or classes many. */
const filtersPerClass = (channels: number, classes: number): number => Math.max(1, Math.min(4, channels, Math.floor(8 / classes)));

interface Templates {
  /** [count × channels]; the identity's rows where no filter is used. */
  readonly filters: Float64Array;
  /** Class averages through the filters [prototypes × samples]. */
  readonly prototypes: Float64Array;
  readonly count: number;
}

/**
 * Covariances of each trial stacked under the class averages, in the tangent space at their mean: with xDAWN filters (Rivet 2009; Congedo, Barachant &
 * Bhatia 2017), or with all channels (`filtered: false`, ERP covariances). Shrinkage counts the samples of the trial, not those kept of it.
 */
export function erpCovariances({ filtered }: { readonly filtered: boolean }): Representation {
  return {
    name: `erp covariances:${filtered}`,
    featureSets: () => [set],
    fit(context) {
      const channels = context.data.features.shape.channels;
      const templates = filtered ? xdawnTemplates(context, channels) : averages(context, channels);
      const samples = templates.prototypes.length === 0 ? 0 : context.data.features.sets[set].length / context.data.features.trials / channels;
      const side = templates.count + templates.prototypes.length / samples;
      const matrices = stackedCovariances(rowsOf(context.data.features, set, context.rows), context.rows.length, channels, samples, context.data.features.shape.samples, templates);
      const mean = meanRiemann(matrices, context.rows.length, side, { initial: meanLogEuclid(matrices, context.rows.length, side), tolerance: 1e-4 * side, maxIterations: side <= 24 ? 4 : 1 });
      return { ...templates, channels, samples, trueSamples: context.data.features.shape.samples, side, whitener: invsqrtm(mean, side) };
    },
    apply(head, features, rows) {
      const { side, channels, samples, trueSamples } = head as Record<string, number>;
      const matrices = stackedCovariances(rowsOf(features, set, rows), rows.length, channels, samples, trueSamples, templatesOf(head));
      const white = congruence(head['whitener'] as Float64Array, matrices, rows.length, side);
      return { x: packUpper(logm(white, side, rows.length), rows.length, side, Math.SQRT2), dimension: packedSize(side) };
    },
  };
}

const templatesOf = (head: Head): Templates => ({ filters: head['filters'] as Float64Array, prototypes: head['prototypes'] as Float64Array, count: head['count'] as number });

/** Sum over the given epochs, divided by how many: [channels × samples]. */
function average(epochs: Float64Array, members: readonly number[], width: number): Float64Array {
  const mean = new Float64Array(width);
  for (const i of members) for (let j = 0; j < width; j += 1) mean[j] += epochs[i * width + j] / members.length;
  return mean;
}

const membersOf = ({ data, rows }: FitContext): number[][] => data.classes.map((_, k) => Array.from(rows.keys()).filter((i) => data.labels[rows[i]] === k));

function averages(context: FitContext, channels: number): Templates {
  const epochs = rowsOf(context.data.features, set, context.rows);
  const width = epochs.length / context.rows.length;
  const prototypes = new Float64Array(context.data.classes.length * width);
  membersOf(context).forEach((members, k) => prototypes.set(average(epochs, members, width), k * width));
  const filters = new Float64Array(channels * channels);
  for (let c = 0; c < channels; c += 1) filters[c * channels + c] = 1;
  return { filters, prototypes, count: channels };
}

function xdawnTemplates(context: FitContext, channels: number): Templates {
  const epochs = rowsOf(context.data.features, set, context.rows);
  const width = epochs.length / context.rows.length;
  const samples = width / channels;
  const total = new Float64Array(channels * channels);
  for (let i = 0; i < context.rows.length; i += 1) gram(epochs.subarray(i * width, (i + 1) * width), channels, samples).forEach((v, at) => (total[at] += v / (context.rows.length * samples)));
  regularise(total, 1, channels, 1e-6);
  const each = filtersPerClass(channels, context.data.classes.length);
  const count = each * context.data.classes.length;
  const filters = new Float64Array(count * channels);
  const prototypes = new Float64Array(count * samples);
  membersOf(context).forEach((members, k) => {
    const evoked = average(epochs, members, width);
    const own = gram(evoked, channels, samples);
    for (let j = 0; j < own.length; j += 1) own[j] /= samples;
    const eigen = eighGeneral(own, total, channels);
    if (!eigen) throw new Error('The covariance of the training trials is singular: a channel is flat or a copy of another.');
    for (let f = 0; f < each; f += 1) {
      const at = (k * each + f) * channels;
      let norm = 0;
      for (let c = 0; c < channels; c += 1) norm += eigen.vectors[c * channels + channels - 1 - f] ** 2;
      for (let c = 0; c < channels; c += 1) filters[at + c] = eigen.vectors[c * channels + channels - 1 - f] / Math.sqrt(norm);
    }
    prototypes.set(matmul(filters.subarray(k * each * channels, (k + 1) * each * channels), evoked, each, channels, samples), k * each * samples);
  });
  return { filters, prototypes, count };
}

function stackedCovariances(epochs: Float64Array, trials: number, channels: number, samples: number, trueSamples: number, { filters, prototypes, count }: Templates): Float64Array {
  const side = count + prototypes.length / samples;
  const stack = new Float64Array(side * samples);
  stack.set(centredRows(prototypes, samples));
  const out = new Float64Array(trials * side * side);
  for (let i = 0; i < trials; i += 1) {
    const filtered = matmul(filters, epochs.subarray(i * channels * samples, (i + 1) * channels * samples), count, channels, samples);
    stack.set(centredRows(filtered, samples), prototypes.length);
    const covariance = gram(stack, side, samples).map((value) => value / samples);
    out.set(regularise(shrinkOas(covariance, side, trueSamples), 1, side, 1e-9), i * side * side);
  }
  return out;
}

function centredRows(x: Float64Array, samples: number): Float64Array {
  const out = x.slice();
  for (let at = 0; at < out.length; at += samples) {
    let sum = 0;
    for (let s = 0; s < samples; s += 1) sum += out[at + s];
    for (let s = 0; s < samples; s += 1) out[at + s] -= sum / samples;
  }
  return out;
}
