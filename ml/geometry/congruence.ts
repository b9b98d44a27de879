import { allocateDoubles, kernels, paddedSide, place, read, scope, viewDoubles } from '../kernels/index.ts';
import { countOf } from '../matrix.ts';
import type { Matrices, Matrix } from '../matrix.ts';
import { chunkOf } from './spectral.ts';

/** Square matrices [count × side × side] at an address of the kernels' memory. */
export interface PlacedSquares {
  readonly at: number;
  readonly count: number;
  readonly side: number;
}

/** Wᵀ in padded rows at an address, for W [rows × columns]. */
export interface PlacedTransposed {
  readonly at: number;
  readonly rows: number;
}

/**
 * Congruence W·C·Wᵀ [n × q × q] of symmetric matrices C [n × p × p] by W [q × p] (whitening, spatial filters). A single
 * matrix gives a single matrix.
 */
export function congruence<C extends Matrix | Matrices>(w: Matrix, c: C): C {
  const [n, p, q] = [countOf(c), w.columns, w.rows];
  const out = new Float64Array(n * q * q);
  const chunk = chunkOf(n, Math.max(p, q));
  scope(() => {
    const wt = placeTransposed(w);
    for (let from = 0; from < n; from += chunk) {
      const count = Math.min(chunk, n - from);
      scope(() => {
        const at = place(c.data.subarray(from * p * p, (from + count) * p * p));
        const to = allocateDoubles(count * q * q);
        congruenceAt(wt, { at, count, side: p }, to);
        out.set(read(to, count * q * q), from * q * q);
      });
    }
  });
  return { ...c, data: out, rows: q, columns: q };
}

/** Copies Wᵀ to the memory of the kernels, as `congruenceAt` reads it. */
export function placeTransposed(w: Matrix): PlacedTransposed {
  const ld = paddedSide(w.rows);
  const at = allocateDoubles((w.columns + 4) * ld);
  transposeInto(viewDoubles(at, w.columns * ld), w, ld);
  return { at, rows: w.rows };
}

/** Wᵀ in rows of `ld` values, zero after the last row of W. */
function transposeInto(wt: Float64Array, { data: w, rows: q, columns: p }: Matrix, ld: number): void {
  for (let j = 0; j < p; j++) {
    for (let i = 0; i < q; i++) wt[j * ld + i] = w[i * p + j];
    for (let i = q; i < ld; i++) wt[j * ld + i] = 0;
  }
}

/** W·C·Wᵀ of matrices at an address, written to the address `to`. */
export function congruenceAt(wt: PlacedTransposed, { at, count, side }: PlacedSquares, to: number): void {
  scope(() => {
    const [ld, ldq] = [paddedSide(side), paddedSide(wt.rows)];
    const scratch = allocateDoubles(ld * ld + ld * ldq + ldq * ldq);
    kernels().congruenceBatch(at, count, side, wt.at, wt.rows, ldq, to, scratch);
  });
}
