import { allocate, kernels, place, placeFloats, scope, viewFloats } from '../kernels/index.ts';

/** Filters, logarithms and dense weights of one band; see `ml/kernels/assembly/readings.ts`. */
export interface BandReading {
  /** Filters v, four side by side. [columns / 4 × side × 4] */
  readonly filters: Float64Array;
  /** [windows × columns × hidden] */
  readonly dense: Float32Array;
}

/** Sizes that all bands have in common. */
export interface ReadingShape {
  /** Trials that are read. */
  readonly rows: Int32Array;
  readonly windows: number;
  /** Rows of a covariance. */
  readonly side: number;
  /** Filters of all sides, a multiple of 8. */
  readonly columns: number;
  /** Filters of a side, a multiple of 4. */
  readonly each: number;
  /** A multiple of 4. */
  readonly hidden: number;
  readonly eps: number;
}

/**
 * Hidden values [rows × sides × hidden] of powers of spatial filters: the sum over bands, windows and filters of
 * log(power + eps) times the dense weights. `values` [trials × bands × windows × p]: packed covariances. A row depends
 * on its trial alone, bit for bit.
 */
export function quadraticReadings(
  values: Float64Array,
  bands: readonly BandReading[],
  { rows, windows, side, columns, each, hidden, eps }: ReadingShape,
): Float32Array {
  const trials = rows.length;
  const sides = columns / each;
  const p = (side * (side + 1)) / 2;
  const block = windows * p;
  return scope(() => {
    const out = zeros(trials * sides * hidden);
    const squares = allocate(p * columns * 4);
    const logs = allocate(5 * columns * 4);
    const covariances = allocate(trials * block * 4);
    bands.forEach(({ filters, dense }, b) =>
      scope(() => {
        const [placedFilters, placedDense] = [place(filters), placeFloats(dense)];
        takeBand(values, rows, viewFloats(covariances, trials * block), { block, bands: bands.length, band: b });
        kernels().quadraticReadings(
          covariances,
          trials,
          windows,
          side,
          placedFilters,
          columns / 8,
          eps,
          placedDense,
          each,
          hidden,
          out,
          squares,
          logs,
        );
      }),
    );
    return viewFloats(out, trials * sides * hidden).slice();
  });
}

function zeros(count: number): number {
  const at = allocate(count * 4);
  viewFloats(at, count).fill(0);
  return at;
}

/** Copies the blocks of one band of some trials. */
function takeBand(
  values: Float64Array,
  rows: Int32Array,
  out: Float32Array,
  { block, bands, band }: { readonly block: number; readonly bands: number; readonly band: number },
): void {
  for (let i = 0, to = 0; i < rows.length; i++, to += block) {
    const from = (rows[i] * bands + band) * block;
    out.set(values.subarray(from, from + block), to);
  }
}
