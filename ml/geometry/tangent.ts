import { allocateDoubles, scope, viewDoubles } from '../kernels/index.ts';
import { congruenceAt, placeTransposed } from './congruence.ts';
import { packInto, packedSize } from './pack.ts';
import { logarithmsAt } from './logarithm.ts';
import { chunkOf, invsqrtm } from './spectral.ts';

/**
 * Tangent vectors [n × p(p+1)/2] of SPD matrices c [n × p × p] at `reference` [p × p] (Barachant 2012):
 * the upper triangle, row-major, of log(R^-½·C·R^-½), off-diagonals times √2.
 */
export function tangentVectors(c: Float64Array, n: number, p: number, reference: Float64Array): Float64Array {
  const w = invsqrtm(reference, p);
  return logVectorsThrough(w, { blocks: 1, n, p, q: p }, (_, from, count, out) =>
    out.set(c.subarray(from * p * p, (from + count) * p * p)),
  );
}

/** Blocks of n matrices [p × p], and the side q that they are seen in. */
export interface Blocks {
  readonly blocks: number;
  readonly n: number;
  readonly p: number;
  readonly q: number;
}

/**
 * Vectors [n × blocks · q(q+1)/2] of log(W·C·Wᵀ), off-diagonals times √2, for W [blocks × q × p]: each row holds what
 * its blocks give, one after the other. `matrices` writes the SPD matrices [count × p × p] of a block to `out`, a few
 * at a time, from the `from`-th on.
 */
export function logVectorsThrough(
  w: Float64Array,
  { blocks, n, p, q }: Blocks,
  matrices: (block: number, from: number, count: number, out: Float64Array) => void,
): Float64Array {
  const size = packedSize(q);
  const out = new Float64Array(n * blocks * size);
  const chunk = Math.max(1, Math.floor(chunkOf(n * blocks, p) / blocks));
  for (let from = 0; from < n; from += chunk) {
    const count = Math.min(chunk, n - from);
    scope(() => {
      const logs = allocateDoubles(blocks * count * q * q);
      for (let b = 0; b < blocks; b++) {
        scope(() => {
          const at = allocateDoubles(count * p * p);
          matrices(b, from, count, viewDoubles(at, count * p * p));
          congruenceAt(
            at,
            count,
            p,
            placeTransposed(w.subarray(b * q * p, (b + 1) * q * p), p, q),
            q,
            logs + b * count * q * q * 8,
          );
        });
      }
      logarithmsAt(logs, blocks * count, q);
      const view = viewDoubles(logs, blocks * count * q * q);
      for (let k = 0; k < blocks * count; k++) {
        packInto(
          view.subarray(k * q * q, (k + 1) * q * q),
          1,
          q,
          Math.SQRT2,
          out,
          ((from + (k % count)) * blocks + Math.floor(k / count)) * size,
        );
      }
    });
  }
  return out;
}
