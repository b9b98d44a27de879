import { congruence, regularise } from '../../geometry/index.ts';
import { eighGeneral } from '../../linalg/index.ts';
import type { Representation } from './types.ts';
import { averageOf, layoutOf, matricesOf } from './spd.ts';
import { atLeastChannels, firstOf } from '../reasons.ts';
import { needsOf } from './needs.ts';
import type { SpdLayout } from './spd.ts';
import type { Features } from '../../types.ts';

/**
 * Common spatial patterns (Ramoser 2000; Blankertz 2008): log-variance after the spatial filters that separate the
 * class means best. Two classes: the generalised eigenvectors of (C₁, C₀ + C₁) furthest from ½. More classes: each
 * class against the mean of the others. Blocks (bands) are filtered one by one: a filter bank.
 */
export function csp(set: string, filters: number): Representation {
  return {
    name: `csp:${set}:${filters}`,
    unreadable: firstOf(atLeastChannels(2, 'spatial filters'), needsOf(set)),
    featureSets: () => [set],
    filters(head) {
      const [p, count, all] = [head['p'] as number, head['count'] as number, head['filters'] as Float64Array];
      const filters = Array.from({ length: all.length / p }, (_, f) => ({
        block: Math.floor(f / count),
        weights: all.subarray(f * p, (f + 1) * p),
      }));
      return { set, filters };
    },
    fit(context) {
      const layout = layoutOf(context.data.features, set, true);
      const { data, rows } = context;
      const ofClasses = data.classes.map((_, k) => rows.filter((row) => data.labels[row] === k));
      const blocks = Array.from({ length: layout.blocks }, (_, b) =>
        filtersOf(data.features, ofClasses, set, layout, b, filters),
      );
      const count = blocks[0].length / layout.p;
      const all = new Float64Array(layout.blocks * count * layout.p);
      blocks.forEach((own, b) => all.set(own, b * own.length));
      return { p: layout.p, blocks: layout.blocks, count, filters: all };
    },
    apply(head, features, rows) {
      const p = head['p'] as number;
      const blocks = head['blocks'] as number;
      const count = head['count'] as number;
      const all = head['filters'] as Float64Array;
      const dimension = blocks * count;
      const x = new Float64Array(rows.length * dimension);
      const room = new Float64Array(rows.length * p * p);
      for (let b = 0; b < blocks; b += 1) {
        const seen = congruence(
          all.subarray(b * count * p, (b + 1) * count * p),
          matricesOf(features, set, { p, blocks }, b, rows, room),
          rows.length,
          p,
          count,
        );
        for (let i = 0; i < rows.length; i += 1) {
          for (let f = 0; f < count; f += 1)
            x[i * dimension + b * count + f] = Math.log(Math.max(seen[(i * count + f) * count + f], 1e-300));
        }
      }
      return { x, dimension };
    },
  };
}

/** Filters [count × p] of one block, from the trials of each class. */
function filtersOf(
  features: Features,
  ofClasses: readonly Int32Array[],
  set: string,
  layout: SpdLayout,
  block: number,
  filters: number,
): Float64Array {
  const { p } = layout;
  const classes = ofClasses.length;
  const means = ofClasses.map((rows) => regularise(averageOf(features, set, layout, block, rows), 1, p, 1e-9));
  if (classes === 2) return extremes(means[1], sum(means), p, Math.min(filters, p));
  const each = Math.max(1, Math.min(p, Math.round(filters / classes) || 1, p));
  const out = new Float64Array(classes * each * p);
  means.forEach((own, k) => {
    const others = sum(means.filter((_, other) => other !== k)).map((v) => v / (classes - 1));
    out.set(extremes(own, sum([own, others]), p, each), k * each * p);
  });
  return out;
}

function sum([first, ...others]: readonly Float64Array[]): Float64Array {
  const out = first.slice();
  for (const other of others) for (let i = 0; i < out.length; i += 1) out[i] += other[i];
  return out;
}

/** The `count` generalised eigenvectors of (own, total) whose value is furthest from ½, as rows. */
function extremes(own: Float64Array, total: Float64Array, p: number, count: number): Float64Array {
  const eigen = eighGeneral(own, total, p);
  if (!eigen)
    throw new Error('The mean covariance of the training trials is singular: a channel is flat or a copy of another.');
  const order = Array.from(eigen.values.keys()).sort(
    (a, b) => Math.abs(eigen.values[b] - 0.5) - Math.abs(eigen.values[a] - 0.5),
  );
  const out = new Float64Array(count * p);
  for (let f = 0; f < count; f += 1) for (let j = 0; j < p; j += 1) out[f * p + j] = eigen.vectors[j * p + order[f]];
  return out;
}
