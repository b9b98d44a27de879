import { gram, matmul, matmulByRows } from '../../linalg/index.ts';
import { packUpper, packedSize, unpackUpper } from '../../geometry/index.ts';
import type { Features } from '../../types.ts';
import { reducedTo } from '../parts/reduced-filters.ts';
import { meanOfRows } from '../parts/spd.ts';
import type { Workspace } from '../workspace.ts';
import type { CosineLayout, Span } from './bands.ts';
import type { Filters } from './filters.ts';

/** What each sub-band is seen through, and what each class looks like there. Plain data. */
export interface Templates {
  readonly [name: string]: Float64Array | Int32Array;
  /** Rows of the filters of each sub-band. */
  readonly ranks: Int32Array;
  /** Spatial filters of all sub-bands, [all rows × channels]. */
  readonly filters: Float64Array;
  /** Class templates of unit length, sub-band after sub-band [classes × rows · coefficients]. */
  readonly templates: Float64Array;
}

/** Most numbers of the templates of a sub-band: a head stays within some megabytes. */
const mostNumbers = 200_000;
/** Trials that are correlated at a time. */
const chunk = 64;

/** Class templates of some trials: the averages of each class, seen through filters that those trials give. */
export function fitTemplates(
  features: Features,
  layout: CosineLayout,
  rows: Int32Array,
  labels: Int32Array,
  classes: number,
  filtersOf: Filters,
  workspace: Workspace,
): Templates {
  const { set, channels, width, bands } = layout;
  const size = channels * width;
  const own = Array.from({ length: classes }, (_, k) => rows.filter((_row, i) => labels[i] === k));
  const means = own.map((members) =>
    members.length > 0 ? meanOfRows(features.sets[set], size, 0, size, members) : new Float64Array(size),
  );
  const grams = gramsOf(features, layout, workspace);
  const packed = packedSize(channels);
  const most = Math.max(1, Math.floor(mostNumbers / (classes * width)));
  const made = bands.map((band, m) => {
    const seen = means.map((mean) => columnsOf(mean, channels, width, band));
    const powers = own.map((members) =>
      unpackUpper(meanOfRows(grams, bands.length * packed, m * packed, packed, members), 1, channels),
    );
    const all = filtersOf({ means: seen, powers, counts: own.map(({ length }) => length), channels });
    const filters = reducedTo(most, all, channels);
    const rank = filters.length / channels;
    const span = band.count;
    const templates = new Float64Array(classes * rank * span);
    seen.forEach((mean, k) => templates.set(toUnit(matmul(filters, mean, rank, channels, span)), k * rank * span));
    return { rank, filters, templates };
  });
  return {
    ranks: Int32Array.from(made, ({ rank }) => rank),
    filters: joined(made.map(({ filters }) => filters)),
    templates: joined(made.map(({ templates }) => templates)),
  };
}

/**
 * Correlations [rows × classes × sub-bands] of trials with the templates. Row i depends on that trial alone, bit for
 * bit.
 */
export function correlate(
  { ranks, filters, templates }: Templates,
  features: Features,
  { set, channels, width, bands }: CosineLayout,
  rows: Int32Array,
  classes: number,
): Float64Array {
  const size = channels * width;
  const all = filters.length / channels;
  const out = new Float64Array(rows.length * classes * bands.length);
  for (let from = 0; from < rows.length; from += chunk) {
    const some = rows.subarray(from, from + chunk);
    const seen = Array.from(some, (row) =>
      matmul(filters, features.sets[set].subarray(row * size, (row + 1) * size), all, channels, width),
    );
    let [at, above] = [0, 0];
    bands.forEach(({ first, count: span }, m) => {
      const rank = ranks[m];
      const wide = rank * span;
      const own = new Float64Array(some.length * wide);
      seen.forEach((y, i) => {
        for (let r = 0; r < rank; r += 1)
          own.set(y.subarray((above + r) * width + first, (above + r) * width + first + span), i * wide + r * span);
        toUnit(own.subarray(i * wide, (i + 1) * wide));
      });
      const values = matmulByRows(own, templates.subarray(at, at + classes * wide), some.length, wide, classes);
      for (let i = 0; i < some.length; i += 1)
        for (let k = 0; k < classes; k += 1)
          out[((from + i) * classes + k) * bands.length + m] = values[i * classes + k];
      at += classes * wide;
      above += rank;
    });
  }
  return out;
}

/** Inner products of the channels of every trial in each sub-band [trials × sub-bands × packed], once for all folds. */
function gramsOf(
  features: Features,
  { set, channels, width, bands }: CosineLayout,
  workspace: Workspace,
): Float64Array {
  return workspace.once([features], `grams:${set}`, () => {
    const [size, packed] = [channels * width, packedSize(channels)];
    const out = new Float64Array(features.trials * bands.length * packed);
    for (let t = 0; t < features.trials; t += 1) {
      const trial = features.sets[set].subarray(t * size, (t + 1) * size);
      bands.forEach((band, m) => {
        const own = gram(columnsOf(trial, channels, width, band), channels, band.count);
        out.set(packUpper(own, 1, channels), (t * bands.length + m) * packed);
      });
    }
    return out;
  });
}

/** Columns of a sub-band of a table [rows × width]. */
function columnsOf(x: Float64Array, rows: number, width: number, { first, count }: Span): Float64Array {
  const out = new Float64Array(rows * count);
  for (let c = 0; c < rows; c += 1) out.set(x.subarray(c * width + first, c * width + first + count), c * count);
  return out;
}

/** Scales a vector to length one, in place; zeros stay. */
function toUnit(x: Float64Array): Float64Array {
  let squares = 0;
  for (let j = 0; j < x.length; j += 1) squares += x[j] * x[j];
  const gain = 1 / (Math.sqrt(squares) || 1);
  for (let j = 0; j < x.length; j += 1) x[j] *= gain;
  return x;
}

function joined(parts: readonly Float64Array[]): Float64Array {
  const out = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
