import { hasChannelParts, rowsOf } from '../../features/index.ts';
import type { Head } from '../types.ts';
import { firstOf } from '../reasons.ts';
import { needsOf } from './needs.ts';
import { idLike } from './tangent-space.ts';
import type { Representation } from './types.ts';

/** Feature tables as they are, side by side; `standardise` scales each column by the training trials. */
export function plain(
  named: readonly string[] | ((frequenciesHz: readonly number[]) => readonly string[]),
  { standardise }: { readonly standardise: boolean },
): Representation {
  const setsFor = (frequenciesHz: readonly number[] = []): readonly string[] =>
    typeof named === 'function' ? named(frequenciesHz) : named;
  const gather: Representation['apply'] = (_head, features, rows) => {
    const sets = setsFor().map((id) => (id in features.sets ? id : idLike(features.sets, id)));
    const parts = sets.map((set) => rowsOf(features, set, rows));
    const widths = parts.map((part) => part.length / rows.length);
    const dimension = widths.reduce((a, b) => a + b, 0);
    if (parts.length === 1) return { x: parts[0], dimension };
    const x = new Float64Array(rows.length * dimension);
    for (let i = 0; i < rows.length; i += 1) {
      let at = i * dimension;
      parts.forEach((part, s) => {
        x.set(part.subarray(i * widths[s], (i + 1) * widths[s]), at);
        at += widths[s];
      });
    }
    return { x, dimension };
  };
  const single = typeof named !== 'function' && named.length === 1 ? named[0] : null;
  return {
    name: `plain:${setsFor().join('+')}:${standardise}`,
    unreadable: firstOf(...setsFor().map(needsOf)),
    featureSets: ({ frequenciesHz }) => setsFor(frequenciesHz),
    ...(single && hasChannelParts(single) ? { linearIn: single } : {}),
    fit({ data, rows, workspace }): Head {
      if (!standardise) return {};
      const { x, dimension } = gather({}, data.features, rows, workspace);
      const mean = new Float64Array(dimension);
      const scale = new Float64Array(dimension);
      const share = 1 / rows.length;
      for (let at = 0; at < x.length; at += dimension)
        for (let j = 0; j < dimension; j += 1) mean[j] += x[at + j] * share;
      for (let at = 0; at < x.length; at += dimension) {
        for (let j = 0; j < dimension; j += 1) {
          const away = x[at + j] - mean[j];
          scale[j] += away * away * share;
        }
      }
      return { mean, scale: scale.map((v) => Math.sqrt(v) || 1) };
    },
    apply(head, features, rows, workspace) {
      const vectors = gather(head, features, rows, workspace);
      if (!standardise) return vectors;
      const mean = head['mean'] as Float64Array;
      const scale = head['scale'] as Float64Array;
      const { dimension } = vectors;
      const x = new Float64Array(vectors.x.length);
      for (let at = 0; at < x.length; at += dimension)
        for (let j = 0; j < dimension; j += 1) x[at + j] = (vectors.x[at + j] - mean[j]) / scale[j];
      return { x, dimension };
    },
  };
}
