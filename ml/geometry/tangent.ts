import { allocateDoubles, place, scope, viewDoubles } from '../kernels/index.ts';
import { congruence, congruenceAt, placeTransposed } from './congruence.ts';
import { packInto, packUpper, packedSize, unpackUpper } from './pack.ts';
import { chunkOf, expm, invsqrtm, logarithm, logm, mapSpectraAt, sqrtm } from './spectral.ts';

/**
 * Tangent vectors [n × p(p+1)/2] of SPD matrices c [n × p × p] at `reference` [p × p] (Barachant 2012):
 * the upper triangle, row-major, of log(R^-½·C·R^-½), off-diagonals times √2.
 */
export function tangentVectors(c: Float64Array, n: number, p: number, reference: Float64Array): Float64Array {
  const vectors = new Float64Array(n * packedSize(p));
  logVectorsThrough(invsqrtm(reference, p), c, n, p, p, { out: vectors, from: 0, stride: packedSize(p) });
  return vectors;
}

/** Where vectors go: the i-th at out[from + i · stride …]. */
export interface VectorRows {
  readonly out: Float64Array;
  readonly from: number;
  readonly stride: number;
}

/** Vectors [n × q(q+1)/2] of log(W·C·Wᵀ), off-diagonals times √2, for W [q × p] and SPD matrices c [n × p × p]. */
export function logVectorsThrough(w: Float64Array, c: Float64Array, n: number, p: number, q: number, { out, from: first, stride }: VectorRows): void {
  const chunk = chunkOf(n, Math.max(p, q));
  scope(() => {
    const wt = placeTransposed(w, p, q);
    for (let from = 0; from < n; from += chunk) {
      const count = Math.min(chunk, n - from);
      scope(() => {
        const at = place(c.subarray(from * p * p, (from + count) * p * p));
        const to = allocateDoubles(count * q * q);
        congruenceAt(at, count, p, wt, q, to);
        mapSpectraAt(to, count, q, logarithm);
        const logs = viewDoubles(to, count * q * q);
        for (let i = 0; i < count; i++) packInto(logs.subarray(i * q * q, (i + 1) * q * q), 1, q, Math.SQRT2, out, first + (from + i) * stride);
      });
    }
  });
}

/** Inverse of `tangentVectors`: SPD matrices [n × p × p] of tangent vectors [n × p(p+1)/2] at `reference`. */
export function untangentVectors(vectors: Float64Array, n: number, p: number, reference: Float64Array): Float64Array {
  const size = packedSize(p);
  const symmetric = unpackUpper(vectors.subarray(0, n * size), n, p, Math.SQRT1_2);
  return congruence(sqrtm(reference, p), expm(symmetric, p, n), n, p);
}

/** Matrices c [n × p × p] seen from `reference`: R^-½·C·R^-½, so that the reference becomes the identity (Zanini 2018). */
export function recentre(c: Float64Array, n: number, p: number, reference: Float64Array): Float64Array {
  return congruence(invsqrtm(reference, p), c, n, p);
}

/** Log vectors [n × p(p+1)/2] of SPD matrices at the identity (log-Euclidean features), off-diagonals times √2. */
export function logVectors(c: Float64Array, n: number, p: number): Float64Array {
  return packUpper(logm(c, p, n), n, p, Math.SQRT2);
}
