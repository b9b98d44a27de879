import { hasChannelParts } from '../../features/index.ts';
import { columnMoments, rootsOrOne, standardisedRows } from '../../linalg/index.ts';
import { matrixOf } from '../../matrix.ts';
import { takeRows } from '../../rows.ts';
import type { Features } from '../../types.ts';
import type { Head } from '../types.ts';
import { firstOf } from '../reasons.ts';
import { needsOf } from './needs.ts';
import { idLike } from './tangent-space.ts';
import type { Representation } from './types.ts';

/** Unchanged feature tables, side by side. `standardise` scales each column by the training trials. */
export function plain(
  named: readonly string[] | ((frequenciesHz: readonly number[]) => readonly string[]),
  { standardise }: { readonly standardise: boolean },
): Representation {
  const setsFor = (frequenciesHz: readonly number[] = []): readonly string[] =>
    typeof named === 'function' ? named(frequenciesHz) : named;
  const tablesOf = (features: Features): Table[] => {
    const sets = setsFor().map((id) => (id in features.sets ? id : idLike(features.sets, id)));
    let at = 0;
    return sets.map((set) => {
      const values = features.sets[set];
      const table = { values, width: values.length / Math.max(1, features.trials), at };
      at += table.width;
      return table;
    });
  };
  const single = typeof named !== 'function' && named.length === 1 ? named[0] : null;
  return {
    name: `plain:${setsFor().join('+')}:${standardise}`,
    unreadable: firstOf(...setsFor().map(needsOf)),
    featureSets: ({ frequenciesHz }) => setsFor(frequenciesHz),
    ...(single && hasChannelParts(single) ? { linearIn: single } : {}),
    fit({ data, rows }): Head {
      if (!standardise) return {};
      const tables = tablesOf(data.features);
      const [mean, scale] = [new Float64Array(widthOf(tables)), new Float64Array(widthOf(tables))];
      for (const { values, width, at } of tables) {
        const moments = columnMoments(matrixOf(values, width), rows);
        mean.set(moments.mean, at);
        scale.set(rootsOrOne(moments.variance), at);
      }
      return { mean, scale };
    },
    apply(head, features, rows) {
      const tables = tablesOf(features);
      const dimension = widthOf(tables);
      const parts = tables.map(({ values, width, at }) => {
        if (!standardise) return takeRows(values, width, rows);
        const [mean, scale] = [head['mean'] as Float64Array, head['scale'] as Float64Array];
        const own = (all: Float64Array): Float64Array => all.subarray(at, at + width);
        return standardisedRows(matrixOf(values, width), rows, { mean: own(mean), scale: own(scale) }).data;
      });
      if (parts.length === 1) return { data: parts[0], rows: rows.length, columns: dimension };
      const x = new Float64Array(rows.length * dimension);
      tables.forEach(({ width, at }, part) => {
        for (let i = 0; i < rows.length; i += 1)
          x.set(parts[part].subarray(i * width, (i + 1) * width), i * dimension + at);
      });
      return { data: x, rows: rows.length, columns: dimension };
    },
  };
}

/** A feature table [trials × width], and the index of its first column in the vectors. */
interface Table {
  readonly values: Float64Array;
  readonly width: number;
  readonly at: number;
}

const widthOf = (tables: readonly Table[]): number => tables.reduce((sum, { width }) => sum + width, 0);
