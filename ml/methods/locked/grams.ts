import { packInto, packedSize, unpackMatrix } from '../../geometry/index.ts';
import { gram } from '../../linalg/index.ts';
import { matrixOf, squaresOf } from '../../matrix.ts';
import type { Matrices, Matrix } from '../../matrix.ts';
import type { Features } from '../../types.ts';
import type { Workspace } from '../workspace.ts';
import type { CosineLayout, Span } from './bands.ts';

/** Key in the workspace. */
const name = 'grams';

/**
 * Inner products of the channels of a table [channels × width] in each sub-band, packed [sub-bands × packed]. They are
 * sums over the pieces between the edges of all sub-bands, so that overlapping sub-bands reuse products.
 */
function bandGrams(x: Float64Array, { channels, width, bands }: CosineLayout): Float64Array {
  const packed = packedSize(channels);
  const out = new Float64Array(bands.length * packed);
  const own = new Float64Array(packed);
  for (const piece of piecesOf(bands)) {
    packInto(gram(columnsOf(matrixOf(x, width, channels), piece)), 1, own, 0);
    bands.forEach(({ first, count }, m) => {
      if (piece.first < first || piece.first >= first + count) return;
      for (let j = 0; j < packed; j += 1) out[m * packed + j] += own[j];
    });
  }
  return out;
}

/** Inner products of the channels of some tables [channels × width] in each sub-band [tables × channels × channels]. */
export function gramsByBand(tables: readonly Float64Array[], layout: CosineLayout): Matrices[] {
  const { channels, bands } = layout;
  const [packed, side] = [packedSize(channels), channels * channels];
  const all = bands.map(() => new Float64Array(tables.length * side));
  tables.forEach((table, k) => {
    const own = bandGrams(table, layout);
    all.forEach((out, m) => out.set(unpackMatrix(own.subarray(m * packed, (m + 1) * packed), channels).data, k * side));
  });
  return all.map((out) => squaresOf(out, channels, tables.length));
}

/** Inner products of the channels of every trial in each sub-band [trials × sub-bands × packed], once for all folds. */
export function gramsOf({ sets, trials }: Features, layout: CosineLayout, workspace: Workspace): Float64Array {
  const { set, channels, width, bands } = layout;
  return workspace.once([sets[set]], name, () => {
    const [size, packed] = [channels * width, packedSize(channels)];
    const out = new Float64Array(trials * bands.length * packed);
    for (let t = 0; t < trials; t += 1)
      out.set(bandGrams(sets[set].subarray(t * size, (t + 1) * size), layout), t * bands.length * packed);
    return out;
  });
}

/**
 * `gramsOf` one trial [sub-bands × packed]: from the workspace if the folds have computed it; else computed without
 * caching, since a prediction reads each trial once.
 */
export function readGrams(
  { sets }: Features,
  layout: CosineLayout,
  workspace: Workspace,
): (trial: number) => Float64Array {
  const { set, channels, width, bands } = layout;
  const own = bands.length * packedSize(channels);
  const known = workspace.known([sets[set]], name) as Float64Array | undefined;
  return (trial) =>
    known
      ? known.subarray(trial * own, (trial + 1) * own)
      : bandGrams(sets[set].subarray(trial * channels * width, (trial + 1) * channels * width), layout);
}

/** Runs of coefficients between the edges of sub-bands that follow each other. */
function piecesOf(bands: readonly Span[]): Span[] {
  const edges = [...new Set(bands.flatMap(({ first, count }) => [first, first + count]))].sort((a, b) => a - b);
  return edges.slice(1).map((edge, i) => ({ first: edges[i], count: edge - edges[i] }));
}

/** Some columns of a table. */
function columnsOf({ data: x, rows, columns: width }: Matrix, { first, count }: Span): Matrix {
  const out = new Float64Array(rows * count);
  for (let c = 0; c < rows; c += 1) out.set(x.subarray(c * width + first, c * width + first + count), c * count);
  return matrixOf(out, count, rows);
}
