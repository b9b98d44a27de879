import { rowsOf } from '../../features/index.ts';
import { sites19 } from '../../channels/index.ts';
import { firstOf } from '../reasons.ts';
import { atLeastSites, everySiteNamed } from '../site-reasons.ts';
import { needsOf } from './needs.ts';
import type { Representation } from './types.ts';

/**
 * Features of the 19 fixed sites, standardised on the training trials in which the site had a signal. A silent site
 * (all zeros) gets the training mean, so it contributes nothing, whether it was silent in training or is silent now.
 */
export function fixedSites(set: string): Representation {
  return {
    name: `sites:${set}`,
    unreadable: firstOf(everySiteNamed, atLeastSites(2), needsOf(set)),
    featureSets: () => [set],
    fit({ data, rows }) {
      const x = rowsOf(data.features, set, rows);
      return momentsOf(x, x.length / rows.length);
    },
    apply(head, features, rows) {
      const x = rowsOf(features, set, rows);
      const dimension = x.length / rows.length;
      const [mean, scale] = [head['mean'] as Float64Array, head['scale'] as Float64Array];
      const width = dimension / sites19.length;
      const out = new Float64Array(x.length);
      for (const from of fedIn(x, width))
        for (let at = from, j = from % dimension; at < from + width; at += 1, j += 1)
          out[at] = (x[at] - mean[j]) / scale[j];
      return { data: out, rows: rows.length, columns: dimension };
    },
  };
}

/** Mean and deviation of each column over the rows whose site is not silent. */
function momentsOf(x: Float64Array, dimension: number): { mean: Float64Array; scale: Float64Array } {
  const width = dimension / sites19.length;
  const fed = fedIn(x, width);
  const [count, mean, scale] = [new Float64Array(dimension), new Float64Array(dimension), new Float64Array(dimension)];
  for (const from of fed)
    for (let at = from, j = from % dimension; at < from + width; at += 1, j += 1) {
      count[j] += 1;
      mean[j] += x[at];
    }
  for (let j = 0; j < dimension; j += 1) mean[j] /= Math.max(1, count[j]);
  for (const from of fed)
    for (let at = from, j = from % dimension; at < from + width; at += 1, j += 1) scale[j] += (x[at] - mean[j]) ** 2;
  for (let j = 0; j < dimension; j += 1) scale[j] = Math.sqrt(scale[j] / Math.max(1, count[j])) || 1;
  return { mean, scale };
}

/** Start of each site whose `width` values are not all zero. */
function fedIn(x: Float64Array, width: number): number[] {
  const fed: number[] = [];
  for (let from = 0; from < x.length; from += width) if (isFed(x, from, width)) fed.push(from);
  return fed;
}

function isFed(x: Float64Array, from: number, width: number): boolean {
  for (let at = from; at < from + width; at += 1) if (x[at] !== 0) return true;
  return false;
}
