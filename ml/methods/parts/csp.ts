import { congruence, regularise } from '../../geometry/index.ts';
import { eighGeneral } from '../../linalg/index.ts';
import { matrixOf, squareOf } from '../../matrix.ts';
import type { Matrix } from '../../matrix.ts';
import type { Representation } from './types.ts';
import { averageOf, matricesOf, spdSet } from './spd.ts';
import { atLeastChannels, firstOf } from '../reasons.ts';
import { needsOf } from './needs.ts';
import type { SpdSet } from './spd.ts';

/**
 * Common spatial patterns: log-variance behind the spatial filters that separate the class means best. Two classes: the
 * generalised eigenvectors of (C₁, C₀ + C₁) whose eigenvalues are furthest from ½. More classes: each class against the
 * mean of the others. Each block (frequency band) has its own filters, which makes a filter bank.
 *
 * @param filters Spatial filters for each block.
 *
 * Source: Ramoser 2000; Blankertz 2008.
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
      const { data, rows } = context;
      const source = spdSet(data.features, set, true);
      const { p, blocks } = source;
      const ofClasses = data.classes.map((_, k) => rows.filter((row) => data.labels[row] === k));
      const ofBlocks = Array.from({ length: blocks }, (_, b) => filtersOf(source, b, ofClasses, filters));
      const count = ofBlocks[0].length / p;
      const all = new Float64Array(blocks * count * p);
      ofBlocks.forEach((own, b) => all.set(own, b * own.length));
      return { p, blocks, count, filters: all };
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
        const own = matrixOf(all.subarray(b * count * p, (b + 1) * count * p), p, count);
        const seen = congruence(own, matricesOf({ features, set, p, blocks }, b, rows, room)).data;
        for (let i = 0; i < rows.length; i += 1) {
          for (let f = 0; f < count; f += 1)
            x[i * dimension + b * count + f] = Math.log(Math.max(seen[(i * count + f) * count + f], 1e-300));
        }
      }
      return { data: x, rows: rows.length, columns: dimension };
    },
  };
}

/** Filters [count × p] of one block, from the trials of each class. */
function filtersOf(source: SpdSet, block: number, ofClasses: readonly Int32Array[], filters: number): Float64Array {
  const { p } = source;
  const classes = ofClasses.length;
  const means = ofClasses.map((rows) => regularise(averageOf(source, block, rows), 1e-9).data);
  const extremesOf = (own: Float64Array, total: Float64Array, count: number): Float64Array =>
    extremes(squareOf(own, p), squareOf(total, p), count);
  if (classes === 2) return extremesOf(means[1], sum(means), Math.min(filters, p));
  const each = Math.max(1, Math.min(p, Math.round(filters / classes) || 1, p));
  const out = new Float64Array(classes * each * p);
  means.forEach((own, k) => {
    const others = sum(means.filter((_, other) => other !== k)).map((v) => v / (classes - 1));
    out.set(extremesOf(own, sum([own, others]), each), k * each * p);
  });
  return out;
}

function sum([first, ...others]: readonly Float64Array[]): Float64Array {
  const out = first.slice();
  for (const other of others) for (let i = 0; i < out.length; i += 1) out[i] += other[i];
  return out;
}

/** The `count` generalised eigenvectors of (own, total) whose value is furthest from ½, as rows. */
function extremes(own: Matrix, total: Matrix, count: number): Float64Array {
  const p = own.rows;
  const eigen = eighGeneral(own, total);
  if (!eigen)
    throw new Error('The mean covariance of the training trials is singular: a channel is flat or a copy of another.');
  const order = Array.from(eigen.values.keys()).sort(
    (a, b) => Math.abs(eigen.values[b] - 0.5) - Math.abs(eigen.values[a] - 0.5),
  );
  const out = new Float64Array(count * p);
  for (let f = 0; f < count; f += 1)
    for (let j = 0; j < p; j += 1) out[f * p + j] = eigen.vectors.data[j * p + order[f]];
  return out;
}
