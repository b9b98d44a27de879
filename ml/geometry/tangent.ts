import { allocateDoubles, scope, viewDoubles } from '../kernels/index.ts';
import { asBatch, matrixAt, squareOf } from '../matrix.ts';
import type { Matrices, Matrix } from '../matrix.ts';
import { congruenceAt, placeTransposed } from './congruence.ts';
import { packInto, packedSize } from './pack.ts';
import { logarithmsAt } from './logarithm.ts';
import { chunkOf, invsqrtm } from './spectral.ts';

/**
 * Tangent vectors [n × p(p+1)/2] of SPD matrices [n × p × p] at `reference` [p × p]: the upper triangle, row-major, of
 * log(R^-½·C·R^-½), with values off the diagonal multiplied by √2.
 *
 * Source: Barachant et al. 2012, IEEE Trans. Biomed. Eng. 59(4).
 */
export function tangentVectors(c: Matrices, reference: Matrix): Matrix {
  const size = c.rows * c.rows;
  return logVectorsThrough(asBatch(invsqrtm(reference)), c.count, (_, from, count, out) =>
    out.set(c.data.subarray(from * size, (from + count) * size)),
  );
}

/** Writes `count` matrices [count × p × p] of a block (a frequency band), from the `from`-th, to `out`. */
export type WriteBlock = (block: number, from: number, count: number, out: Float64Array) => void;

/**
 * Vectors [n × blocks · q(q+1)/2] of log(W·C·Wᵀ), with values off the diagonal multiplied by √2. Each row holds the
 * vectors of its blocks one after the other.
 *
 * @param w Whiteners [blocks × q × p].
 * @param n Matrices in each block.
 * @param write Supplies the SPD matrices [p × p] of a block, chunk by chunk.
 */
export function logVectorsThrough(w: Matrices, n: number, write: WriteBlock): Matrix {
  const { count: blocks, rows: q, columns: p } = w;
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
          write(b, from, count, viewDoubles(at, count * p * p));
          const wt = placeTransposed(matrixAt(w, b));
          congruenceAt(wt, { at, count, side: p }, logs + b * count * q * q * 8);
        });
      }
      logarithmsAt(logs, blocks * count, q);
      const view = viewDoubles(logs, blocks * count * q * q);
      for (let k = 0; k < blocks * count; k++) {
        const to = ((from + (k % count)) * blocks + Math.floor(k / count)) * size;
        packInto(squareOf(view.subarray(k * q * q, (k + 1) * q * q), q), Math.SQRT2, out, to);
      }
    });
  }
  return { data: out, rows: n, columns: blocks * size };
}
