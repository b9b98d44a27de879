import { allocate, kernels, scope, viewFloats } from '../kernels/index.ts';

/** Filters, logarithms and dense weights of one band; see `ml/kernels/assembly/readings.ts`. */
export interface BandReading {
  /** Rows v·vᵀ of filters, packed, eight side by side. [columns / 8 × 2 × p × 4] */
  readonly filters: Float32Array;
  /** [windows × columns × hidden] */
  readonly dense: Float32Array;
}

/** Sizes that all bands have in common. */
export interface ReadingShape {
  /** Trials that are read. */
  readonly rows: Int32Array;
  readonly windows: number;
  /** Packed size of a covariance. */
  readonly p: number;
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
  { rows, windows, p, columns, each, hidden, eps }: ReadingShape,
): Float32Array {
  const trials = rows.length;
  const sides = columns / each;
  const block = windows * p;
  return scope(() => {
    const out = zeros(trials * sides * hidden);
    const logs = allocate(4 * columns * 4);
    const covariances = allocate(trials * block * 4);
    bands.forEach(({ filters, dense }, b) =>
      scope(() => {
        const [placedFilters, placedDense] = [placed(filters), placed(dense)];
        takeBand(values, rows, viewFloats(covariances, trials * block), { block, bands: bands.length, band: b });
        kernels().quadraticReadings(
          covariances,
          trials,
          windows,
          p,
          placedFilters,
          columns / 8,
          eps,
          placedDense,
          each,
          hidden,
          out,
          logs,
        );
      }),
    );
    return viewFloats(out, trials * sides * hidden).slice();
  });
}

function placed(values: Float32Array): number {
  const at = allocate(values.length * 4);
  viewFloats(at, values.length).set(values);
  return at;
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
