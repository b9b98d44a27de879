import { packUpper, packedSize } from '../../geometry/index.ts';
import { gram, matmul, matmulByRows, transpose } from '../../linalg/index.ts';
import { matrixOf } from '../../matrix.ts';
import { takeRows } from '../../rows.ts';
import type { Workspace } from '../workspace.ts';
import type { CosineTrials, Span } from './bands.ts';
import { correlateFiltered } from './filtered.ts';
import { readGrams } from './grams.ts';
import type { Templates } from './templates.ts';

/** Trials per block. */
const chunk = 64;
/** Most values of the templates per product. */
const mostNumbers = 2_000_000;

/** From this many filters per class on, projecting templates onto channels is faster than filtering trials. */
const manyFilters = 4;

/**
 * Correlations [rows × classes × sub-bands] of trials with the templates. Row i depends only on that trial, bit for
 * bit. With few classes trials X are not filtered: ⟨F·X, T⟩ = ⟨X, Fᵀ·T⟩, and ‖F·X‖² = ⟨X·Xᵀ, Fᵀ·F⟩, where all folds
 * reuse X·Xᵀ.
 */
export function correlate(made: Templates, trials: CosineTrials, rows: Int32Array, workspace: Workspace): Float64Array {
  const { features, layout, classes } = trials;
  const { set, channels, width, bands } = layout;
  if (manyFilters * classes > made.ranks[0]) return correlateFiltered(made, trials, rows);
  const size = channels * width;
  const out = new Float64Array(rows.length * classes * bands.length);
  const most = Math.max(1, Math.floor(mostNumbers / (bands.length * size)));
  for (let k = 0; k < classes; k += most) {
    const some = Math.min(most, classes - k);
    const projected = onChannels(made, trials, { first: k, count: some });
    for (let from = 0; from < rows.length; from += chunk) {
      const own = takeRows(features.sets[set], size, rows.subarray(from, from + chunk));
      const values = matmulByRows(matrixOf(own, size), matrixOf(projected, size, some * bands.length)).data;
      for (let i = 0, at = 0; at < values.length; i += 1, at += some * bands.length)
        out.set(values.subarray(at, at + some * bands.length), ((from + i) * classes + k) * bands.length);
    }
  }
  divideByLengths(out, lengthsOf(made, trials, rows, workspace), classes, bands.length);
  return out;
}

/** Fᵀ·T of some classes [classes × sub-bands × channels × width], zero outside the sub-band. */
function onChannels(
  { ranks, filters, templates }: Templates,
  { layout: { channels, width, bands }, classes }: CosineTrials,
  { first, count: some }: Span,
): Float64Array {
  const out = new Float64Array(some * bands.length * channels * width);
  let [at, above] = [0, 0];
  bands.forEach((band, m) => {
    const [rank, span] = [ranks[m], band.count];
    const own = templates.subarray(at + first * rank * span, at + (first + some) * rank * span);
    const turned = transpose(matrixOf(filters.subarray(above * channels, (above + rank) * channels), channels, rank));
    const { data } = matmul(turned, matrixOf(sideBySide(own, some, rank, span), some * span, rank));
    for (let k = 0; k < some; k += 1) {
      const to: Corner = { data: out, width, at: (k * bands.length + m) * channels * width };
      place({ data, width: some * span, at: k * span }, to, band, channels);
    }
    at += classes * rank * span;
    above += rank;
  });
  return out;
}

/** Tables [count × rows × columns] as one [rows × count · columns]. */
function sideBySide(tables: Float64Array, count: number, rows: number, columns: number): Float64Array {
  const out = new Float64Array(tables.length);
  for (let k = 0; k < count; k += 1)
    for (let r = 0; r < rows; r += 1)
      out.set(
        tables.subarray((k * rows + r) * columns, (k * rows + r + 1) * columns),
        r * count * columns + k * columns,
      );
  return out;
}

/** A table with rows of `width` values, from the value `at`. */
interface Corner {
  readonly data: Float64Array;
  readonly width: number;
  readonly at: number;
}

/** Copies the first columns of some rows of a table to the columns of a sub-band of another. */
function place(from: Corner, to: Corner, { first, count }: Span, rows: number): void {
  for (let c = 0; c < rows; c += 1) {
    const start = c * from.width + from.at;
    to.data.set(from.data.subarray(start, start + count), to.at + c * to.width + first);
  }
}

/** Lengths [rows × sub-bands] of filtered trials. */
function lengthsOf(
  { ranks, filters }: Templates,
  { features, layout }: CosineTrials,
  rows: Int32Array,
  workspace: Workspace,
): Float64Array {
  const { channels, bands } = layout;
  const packed = packedSize(channels);
  let above = 0;
  const weights = Array.from(ranks, (rank) => {
    const turned = transpose(matrixOf(filters.subarray(above * channels, (above + rank) * channels), channels, rank));
    above += rank;
    return packUpper(gram(turned), 2);
  });
  const gramsOfTrial = readGrams(features, layout, workspace);
  const out = new Float64Array(rows.length * bands.length);
  rows.forEach((row, i) => {
    const grams = gramsOfTrial(row);
    weights.forEach((own, m) => {
      out[i * bands.length + m] = Math.sqrt(Math.max(0, dot(own, grams, m * packed, packed)));
    });
  });
  return out;
}

/** Divides values [rows × classes × sub-bands] by lengths [rows × sub-bands], in place; zeros stay. */
function divideByLengths(values: Float64Array, lengths: Float64Array, classes: number, bands: number): void {
  for (let at = 0; at < values.length; at += 1) {
    const row = Math.floor(at / (classes * bands));
    values[at] /= lengths[row * bands + (at % bands)] || 1;
  }
}

/** Inner product of `a` and the values of `b` from `from` on, in four independent sums for speed. */
function dot(a: Float64Array, b: Float64Array, from: number, length: number): number {
  let [s0, s1, s2, s3] = [0, 0, 0, 0];
  let j = 0;
  for (let at = from; j + 3 < length; j += 4, at += 4) {
    s0 += a[j] * b[at];
    s1 += a[j + 1] * b[at + 1];
    s2 += a[j + 2] * b[at + 2];
    s3 += a[j + 3] * b[at + 3];
  }
  for (; j < length; j += 1) s0 += a[j] * b[from + j];
  return s0 + s1 + (s2 + s3);
}
