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
  const w = invsqrtm(reference, p);
  const chunk = chunkOf(n, p);
  for (let from = 0; from < n; from += chunk) {
    const count = Math.min(chunk, n - from);
    logVectorsThrough(w, c.subarray(from * p * p, (from + count) * p * p), { blocks: 1, n: count, p, q: p }, vectors.subarray(from * size));
  }
  return vectors;
}

/** Blocks of matrices [blocks × n × p × p], and the side q that they are seen in. */
export interface Blocks {
  readonly blocks: number;
  readonly n: number;
  readonly p: number;
  readonly q: number;
}

/**
 * Vectors of log(W·C·Wᵀ), off-diagonals times √2, for W [blocks × q × p] and SPD matrices c [blocks × n × p × p]: row i of out [n × blocks · q(q+1)/2]
 * holds what its blocks give, one after the other. All of it lies in the kernels' memory at once: callers cut large batches.
 */
export function logVectorsThrough(w: Float64Array, c: Float64Array, { blocks, n, p, q }: Blocks, out: Float64Array): void {
  scope(() => {
    const logs = allocateDoubles(blocks * n * q * q);
    for (let b = 0; b < blocks; b++) {
      scope(() => {
        const at = place(c.subarray(b * n * p * p, (b + 1) * n * p * p));
        congruenceAt(at, n, p, placeTransposed(w.subarray(b * q * p, (b + 1) * q * p), p, q), q, logs + b * n * q * q * 8);
      });
    }
    mapSpectraAt(logs, blocks * n, q, logarithm);
    const view = viewDoubles(logs, blocks * n * q * q);
    const size = packedSize(q);
    for (let b = 0; b < blocks; b++) {
      for (let i = 0; i < n; i++) packInto(view.subarray((b * n + i) * q * q, (b * n + i + 1) * q * q), 1, q, Math.SQRT2, out, (i * blocks + b) * size);
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
