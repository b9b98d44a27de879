import { matmul } from '../../linalg/index.ts';
import { packedSize, unpackUpper } from '../../geometry/index.ts';
import { matrixOf } from '../../matrix.ts';
import type { Matrix } from '../../matrix.ts';
import { joinTables, valuesAt } from '../../rows.ts';
import { reducedTo } from '../parts/reduced-filters.ts';
import { meanOfRows } from '../parts/spd.ts';
import type { TrainingData } from '../types.ts';
import type { Workspace } from '../workspace.ts';
import type { CosineLayout, Span } from './bands.ts';
import { whitened } from './filters.ts';
import type { Filters, Seen } from './filters.ts';
import { gramsByBand, gramsOf } from './grams.ts';

/** Spatial filters of each sub-band, and the filtered class averages. Plain data. */
export interface Templates {
  readonly [name: string]: Float64Array | Int32Array;
  /** Rows of the filters of each sub-band. */
  readonly ranks: Int32Array;
  /** Spatial filters of all sub-bands, [all rows × channels]. */
  readonly filters: Float64Array;
  /** Class templates of unit length, sub-band after sub-band [classes × rows · coefficients]. */
  readonly templates: Float64Array;
}

/** The average of each class [channels × coefficients] over some trials. */
export interface Averages {
  readonly rows: Int32Array;
  readonly means: readonly Float64Array[];
  /** Trials of each class. */
  readonly counts: readonly number[];
}

/** Most template values per sub-band, so that a head has a few megabytes at most. */
const mostNumbers = 200_000;

/** Averages of the classes over `rows`; zeros for a class without trials. */
export function averagesOf(data: TrainingData, { set, channels, width }: CosineLayout, rows: Int32Array): Averages {
  const size = channels * width;
  const own = membersOf(data, rows);
  return {
    rows,
    means: own.map((members) =>
      members.length > 0 ? meanOfRows(matrixOf(data.features.sets[set], size), members) : new Float64Array(size),
    ),
    counts: own.map(({ length }) => length),
  };
}

/** Averages over `rows`, from those of their two halves. */
export const joinedAverages = (rows: Int32Array, a: Averages, b: Averages): Averages => ({
  rows,
  means: a.means.map((mean, k) => {
    const weight = a.counts[k] / Math.max(1, a.counts[k] + b.counts[k]);
    return mean.map((value, j) => weight * value + (1 - weight) * b.means[k][j]);
  }),
  counts: a.counts.map((count, k) => count + b.counts[k]),
});

/** Class templates of some trials: the average of each class, filtered by filters from the same trials. */
export function fitTemplates(
  data: TrainingData,
  layout: CosineLayout,
  averages: Averages,
  filtersOf: Filters,
  workspace: Workspace,
): Templates {
  const { channels, width, bands } = layout;
  const { means } = averages;
  const classes = means.length;
  const most = Math.max(1, Math.floor(mostNumbers / (classes * width)));
  const made = seenOf(data, layout, averages, workspace).map((seen) => reducedTo(most, filtersOf(seen), channels));
  const ranks = Int32Array.from(made, ({ length }) => length / channels);
  const filters = joinTables(made);
  const all = filters.length / channels;
  const sizes = bands.map(({ count }, m) => classes * ranks[m] * count);
  const templates = new Float64Array(sizes.reduce((a, b) => a + b, 0));
  const filtered = matrixOf(new Float64Array(all * width), width, all);
  means.forEach((mean, k) => {
    matmul(matrixOf(filters, channels, all), matrixOf(mean, width, channels), filtered.data);
    let [at, above] = [0, 0];
    bands.forEach((band, m) => {
      const wide = ranks[m] * band.count;
      const own = templates.subarray(at + k * wide, at + (k + 1) * wide);
      takeBand(filtered, { first: above, count: ranks[m] }, band, own);
      toUnit(own);
      at += sizes[m];
      above += ranks[m];
    });
  });
  return { ranks, filters, templates };
}

/** Copies some rows and columns of a table to `out` [rows × columns]. */
export function takeBand({ data, columns: width }: Matrix, rows: Span, columns: Span, out: Float64Array): void {
  for (let r = 0; r < rows.count; r += 1) {
    const from = (rows.first + r) * width + columns.first;
    out.set(data.subarray(from, from + columns.count), r * columns.count);
  }
}

/** Input of the filters of each sub-band. */
function seenOf(
  data: TrainingData,
  layout: CosineLayout,
  { rows, means, counts }: Averages,
  workspace: Workspace,
): Seen[] {
  const { set, channels, bands } = layout;
  const packed = packedSize(channels);
  const own = membersOf(data, rows);
  const evoked = lazily(() => gramsByBand(means, layout));
  return bands.map(({ count: span }, m) => {
    const powers = lazily(() => {
      const grams = gramsOf(data.features, layout, workspace);
      const table = matrixOf(grams, bands.length * packed);
      const each = own.map((members) => meanOfRows(table, members, m * packed, packed));
      return unpackUpper(joinTables(each), channels);
    });
    const seen = { channels, span, counts, evoked: () => evoked()[m], powers };
    return { ...seen, common: () => workspace.once([data, rows], `whitened:${set}:${m}`, () => whitened(seen)) };
  });
}

/** Rows of each class. */
function membersOf({ labels, classes }: TrainingData, rows: Int32Array): Int32Array[] {
  const own = valuesAt(labels, rows);
  return classes.map((_, k) => rows.filter((_row, i) => own[i] === k));
}

function lazily<T>(make: () => T): () => T {
  let known: { readonly value: T } | null = null;
  return () => (known ??= { value: make() }).value;
}

/** Scales a vector to length one, in place; zeros stay. */
export function toUnit(x: Float64Array): void {
  let squares = 0;
  for (let j = 0; j < x.length; j += 1) squares += x[j] * x[j];
  const gain = 1 / (Math.sqrt(squares) || 1);
  for (let j = 0; j < x.length; j += 1) x[j] *= gain;
}
