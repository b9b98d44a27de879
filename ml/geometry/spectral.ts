import { allocateDoubles, kernels, paddedSide, place, scope, viewDoubles } from '../kernels/index.ts';

/** Changes the eigenvalues [count × p], each matrix ascending, in place. */
export type SpectralMap = (values: Float64Array, p: number) => void;

/**
 * Matrix logarithm of SPD matrices c [n × p × p]; eigenvalues below 1e-14 of the largest are raised to it, so never
 * NaN.
 */
export const logm = (c: Float64Array, p: number, n = 1): Float64Array => mapBatch(c, n, p, logarithm);

/** Matrix exponential of symmetric matrices c [n × p × p]. */
export const expm = (c: Float64Array, p: number, n = 1): Float64Array => mapBatch(c, n, p, each(Math.exp));

/** Square root of SPD matrices c [n × p × p]. */
export const sqrtm = (c: Float64Array, p: number, n = 1): Float64Array =>
  mapBatch(
    c,
    n,
    p,
    each((v) => Math.sqrt(Math.max(v, 0))),
  );

/** Inverse square root of SPD matrices c [n × p × p]; eigenvalues floored as in `logm`. */
export const invsqrtm = (c: Float64Array, p: number, n = 1): Float64Array =>
  mapBatch(
    c,
    n,
    p,
    floored((v) => 1 / Math.sqrt(v)),
  );

/** Power of SPD matrices c [n × p × p]; eigenvalues floored as in `logm`. */
export const powm = (c: Float64Array, p: number, exponent: number, n = 1): Float64Array =>
  mapBatch(
    c,
    n,
    p,
    floored((v) => Math.pow(v, exponent)),
  );

/** The map behind `logm`. */
export const logarithm: SpectralMap = floored(Math.log);

/** Matrices that go through the kernels together: about a megabyte. */
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
 * Eigen-decompositions of `count` matrices at an address: addresses of vectors (padded rows), values and scratch for
 * composing.
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

/** Mean [p × p] of the logarithms of n SPD matrices, which `matrices` writes to `out`, a few from the `from`-th on. */
export function meanOfLogs(
  n: number,
  p: number,
  matrices: (from: number, count: number, out: Float64Array) => void,
): Float64Array {
  const mean = new Float64Array(p * p);
  const chunk = chunkOf(n, p);
  for (let from = 0; from < n; from += chunk) {
    const count = Math.min(chunk, n - from);
    scope(() => {
      const at = allocateDoubles(count * p * p);
      matrices(from, count, viewDoubles(at, count * p * p));
      mapSpectraAt(at, count, p, logarithm);
      const logs = viewDoubles(at, count * p * p);
      for (let i = 0; i < logs.length; i += mean.length) for (let k = 0; k < mean.length; k++) mean[k] += logs[i + k];
    });
  }
  return mean.map((sum) => sum / n);
}

function mapBatch(c: Float64Array, n: number, p: number, map: SpectralMap): Float64Array {
  const mapped = new Float64Array(n * p * p);
  const chunk = chunkOf(n, p);
  for (let from = 0; from < n; from += chunk) {
    const count = Math.min(chunk, n - from);
    scope(() => {
      const at = place(c.subarray(from * p * p, (from + count) * p * p));
      mapSpectraAt(at, count, p, map);
      mapped.set(viewDoubles(at, count * p * p), from * p * p);
    });
  }
  return mapped;
}

function each(f: (value: number) => number): SpectralMap {
  return (values) => {
    for (let i = 0; i < values.length; i++) values[i] = f(values[i]);
  };
}

function floored(f: (value: number) => number): SpectralMap {
  return (values, p) => {
    for (let from = 0; from < values.length; from += p) {
      const floor = Math.max(values[from + p - 1] * 1e-14, 1e-300);
      for (let i = from; i < from + p; i++) values[i] = f(Math.max(values[i], floor));
    }
  };
}
