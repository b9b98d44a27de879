import { allocateDoubles, place, scope, viewDoubles } from '../kernels/index.ts';
import { congruence, congruenceAt, placeTransposed } from './congruence.ts';
import { packInto, packUpper, packedSize, unpackUpper } from './pack.ts';
import { chunkOf, expm, invsqrtm, logarithm, logm, mapSpectraAt, sqrtm } from './spectral.ts';

/**
 * Tangent vectors [n × p(p+1)/2] of SPD matrices c [n × p × p] at `reference` [p × p] (Barachant 2012):
 * the upper triangle, row-major, of log(R^-½·C·R^-½), off-diagonals times √2.
 */
export function tangentVectors(c: Float64Array, n: number, p: number, reference: Float64Array): Float64Array {
  const size = packedSize(p);
  const vectors = new Float64Array(n * size);
  const chunk = chunkOf(n, p);
  scope(() => {
    const wt = placeTransposed(invsqrtm(reference, p), p, p);
    for (let from = 0; from < n; from += chunk) {
      const count = Math.min(chunk, n - from);
      scope(() => {
        const at = place(c.subarray(from * p * p, (from + count) * p * p));
        const to = allocateDoubles(count * p * p);
        congruenceAt(at, count, p, wt, p, to);
        mapSpectraAt(to, count, p, logarithm);
        packInto(viewDoubles(to, count * p * p), count, p, Math.SQRT2, vectors, from * size);
      });
    }
  });
  return vectors;
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
