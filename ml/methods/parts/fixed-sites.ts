import { rowsOf } from '../../features/index.ts';
import { sites19 } from '../../channels/index.ts';
import { firstOf } from '../reasons.ts';
import { atLeastSites, everySiteNamed } from '../site-reasons.ts';
import { needsOf } from './needs.ts';
import type { Representation } from './types.ts';

/**
 * Features of the 19 fixed sites, standardised by the training trials in which the site was fed. A silent site (all
 * zeros) stands at the training mean, so that it contributes nothing, whether it was silent in training or is now.
 */
export function fixedSites(set: string): Representation {
  return {
    name: `sites:${set}`,
    unreadable: firstOf(everySiteNamed, atLeastSites(2), needsOf(set)),
    featureSets: () => [set],
    fit({ data, rows }) {
      const x = rowsOf(data.features, set, rows);
      const dimension = x.length / rows.length;
      const [count, mean, scale] = [
        new Float64Array(dimension),
        new Float64Array(dimension),
        new Float64Array(dimension),
      ];
      forEachFed(x, dimension, (value, j) => {
        count[j] += 1;
        mean[j] += value;
      });
      mean.forEach((sum, j) => (mean[j] = sum / Math.max(1, count[j])));
      forEachFed(x, dimension, (value, j) => (scale[j] += (value - mean[j]) ** 2));
      return { mean, scale: scale.map((sum, j) => Math.sqrt(sum / Math.max(1, count[j])) || 1) };
    },
    apply(head, features, rows) {
      const x = rowsOf(features, set, rows);
      const dimension = x.length / rows.length;
      const [mean, scale] = [head['mean'] as Float64Array, head['scale'] as Float64Array];
      const out = new Float64Array(x.length);
      forEachFed(x, dimension, (value, j, at) => (out[at] = (value - mean[j]) / scale[j]));
      return { x: out, dimension };
    },
  };
}

/** Calls `use` with every value of the sites that are not silent, its column and its place. */
function forEachFed(
  x: Float64Array,
  dimension: number,
  use: (value: number, column: number, at: number) => void,
): void {
  const width = dimension / sites19.length;
  for (let site = 0; site < x.length; site += width) {
    const values = x.subarray(site, site + width);
    if (values.every((value) => value === 0)) continue;
    values.forEach((value, b) => use(value, (site % dimension) + b, site + b));
  }
}
