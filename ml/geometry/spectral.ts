import { allocateDoubles, kernels, paddedSide, place, scope, viewDoubles } from '../kernels/index.ts';
import { countOf, squareOf } from '../matrix.ts';
import type { Matrices, Matrix } from '../matrix.ts';

/** Changes the eigenvalues [count × p], each matrix ascending, in place. */
export type SpectralMap = (values: Float64Array, p: number) => void;

/** The map behind `logm`. */
export const logarithm: SpectralMap = (values, p) => {
  raise(values, p);
  for (let i = 0; i < values.length; i++) values[i] = Math.log(values[i]);
};
const exponential: SpectralMap = (values) => {
  for (let i = 0; i < values.length; i++) values[i] = Math.exp(values[i]);
};
const squareRoot: SpectralMap = (values) => {
  for (let i = 0; i < values.length; i++) values[i] = Math.sqrt(Math.max(values[i], 0));
};
const inverseSquareRoot: SpectralMap = (values, p) => {
  raise(values, p);
  for (let i = 0; i < values.length; i++) values[i] = 1 / Math.sqrt(values[i]);
};

/**
 * Matrix logarithm of SPD matrices [n × p × p]; of a single matrix, a single matrix. Eigenvalues below 1e-14 of the
 * largest are raised to that, so that no result is NaN.
 */
export const logm = <C extends Matrix | Matrices>(c: C): C => mapBatch(c, logarithm);

/** Matrix exponential of symmetric matrices [n × p × p]. */
export const expm = <C extends Matrix | Matrices>(c: C): C => mapBatch(c, exponential);

/** Square root of SPD matrices [n × p × p]. */
export const sqrtm = <C extends Matrix | Matrices>(c: C): C => mapBatch(c, squareRoot);

/** Inverse square root of SPD matrices [n × p × p]; small eigenvalues are raised as in `logm`. */
export const invsqrtm = <C extends Matrix | Matrices>(c: C): C => mapBatch(c, inverseSquareRoot);

/** Power of SPD matrices [n × p × p]; small eigenvalues are raised as in `logm`. */
export const powm = <C extends Matrix | Matrices>(c: C, exponent: number): C =>
  mapBatch(c, (values, p) => {
    raise(values, p);
    for (let i = 0; i < values.length; i++) values[i] = Math.pow(values[i], exponent);
  });

/** Number of matrices that the kernels process at a time: about a megabyte. */
export const chunkOf = (n: number, p: number): number => Math.max(1, Math.min(n, Math.floor(131072 / (p * p))));

/** Maps the spectra of `count` matrices [count × p × p] at an address, in place. */
export function mapSpectraAt(at: number, count: number, p: number, map: SpectralMap): void {
  scope(() => {
    const { z, values, scratch } = decomposeAt(at, count, p);
    map(viewDoubles(values, count * p), p);
    kernels().composeBatch(z, values, count, p, paddedSide(p), at, 0, scratch);
  });
}

/**
 * Eigendecompositions of `count` matrices at an address: addresses of eigenvectors (padded rows), eigenvalues, and
 * scratch memory for composing.
 */
export function decomposeAt(at: number, count: number, p: number): { z: number; values: number; scratch: number } {
  const ld = paddedSide(p);
  const z = allocateDoubles(count * p * ld);
  const values = allocateDoubles(count * p);
  const scratch = allocateDoubles(p * ld + ld * ld);
  kernels().eigenBatch(
    at,
    count,
    p,
    z,
    ld,
    values,
    scope(() => allocateDoubles(kernels().eigenWork(p))),
    1,
  );
  return { z, values, scratch };
}

/** Writes `count` matrices [count × p × p], from the `from`-th, to `out`. */
export type WriteMatrices = (from: number, count: number, out: Float64Array) => void;

/** Mean [p × p] of the logarithms of n SPD matrices, which `write` supplies chunk by chunk. */
export function meanOfLogs(n: number, p: number, write: WriteMatrices): Matrix {
  const mean = new Float64Array(p * p);
  const chunk = chunkOf(n, p);
  for (let from = 0; from < n; from += chunk) {
    const count = Math.min(chunk, n - from);
    scope(() => {
      const at = allocateDoubles(count * p * p);
      write(from, count, viewDoubles(at, count * p * p));
      mapSpectraAt(at, count, p, logarithm);
      const logs = viewDoubles(at, count * p * p);
      for (let i = 0; i < logs.length; i += mean.length) for (let k = 0; k < mean.length; k++) mean[k] += logs[i + k];
    });
  }
  return squareOf(
    mean.map((sum) => sum / n),
    p,
  );
}

function mapBatch<C extends Matrix | Matrices>(c: C, map: SpectralMap): C {
  const [n, p] = [countOf(c), c.rows];
  const mapped = new Float64Array(n * p * p);
  const chunk = chunkOf(n, p);
  for (let from = 0; from < n; from += chunk) {
    const count = Math.min(chunk, n - from);
    scope(() => {
      const at = place(c.data.subarray(from * p * p, (from + count) * p * p));
      mapSpectraAt(at, count, p, map);
      mapped.set(viewDoubles(at, count * p * p), from * p * p);
    });
  }
  return { ...c, data: mapped };
}

/** Raises the small eigenvalues of each matrix to 1e-14 of its largest. */
function raise(values: Float64Array, p: number): void {
  for (let from = 0; from < values.length; from += p) {
    const floor = Math.max(values[from + p - 1] * 1e-14, 1e-300);
    for (let i = from; i < from + p; i++) values[i] = Math.max(values[i], floor);
  }
}
