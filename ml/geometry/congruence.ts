import { allocateDoubles, kernels, paddedSide, place, read, scope, viewDoubles } from '../kernels/index.ts';
import { chunkOf } from './spectral.ts';

/** W·C·Wᵀ [n × q × q] of symmetric matrices c [n × p × p] by W [q × p] (whitening, spatial filters). */
export function congruence(w: Float64Array, c: Float64Array, n: number, p: number, q = p): Float64Array {
  const out = new Float64Array(n * q * q);
  const chunk = chunkOf(n, Math.max(p, q));
  scope(() => {
    const wt = placeTransposed(w, p, q);
    for (let from = 0; from < n; from += chunk) {
      const count = Math.min(chunk, n - from);
      scope(() => {
        const at = place(c.subarray(from * p * p, (from + count) * p * p));
        const to = allocateDoubles(count * q * q);
        congruenceAt(at, count, p, wt, q, to);
        out.set(read(to, count * q * q), from * q * q);
      });
    }
  });
  return out;
}

/** Address of Wᵀ in padded rows, as `congruenceAt` wants it, for W [q × p]. */
export function placeTransposed(w: Float64Array, p: number, q: number): number {
  const ld = paddedSide(q);
  const wt = allocateDoubles((p + 4) * ld);
  turnInto(viewDoubles(wt, p * ld), w, p, q, ld);
  return wt;
}

/** Wᵀ in rows that lie `ld` apart, zero beyond `q`. */
function turnInto(wt: Float64Array, w: Float64Array, p: number, q: number, ld: number): void {
  for (let j = 0; j < p; j++) {
    for (let i = 0; i < q; i++) wt[j * ld + i] = w[i * p + j];
    for (let i = q; i < ld; i++) wt[j * ld + i] = 0;
  }
}

/** W·C·Wᵀ of `count` matrices at an address, to another one. */
export function congruenceAt(at: number, count: number, p: number, wt: number, q: number, to: number): void {
  scope(() => {
    const [ld, ldq] = [paddedSide(p), paddedSide(q)];
    const scratch = allocateDoubles(ld * ld + ld * ldq + ldq * ldq);
    kernels().congruenceBatch(at, count, p, wt, q, ldq, to, scratch);
  });
}
