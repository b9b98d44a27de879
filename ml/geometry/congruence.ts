import { allocateDoubles, kernels, paddedSide, place, read, scope } from '../kernels/index.ts';
import { transpose } from '../linalg/index.ts';
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
  const wt = allocateDoubles((p + 4) * paddedSide(q));
  scope(() => kernels().spread(place(transpose(w, q, p)), p, q, wt, paddedSide(q)));
  return wt;
}

/** W·C·Wᵀ of `count` matrices at an address, to another one. */
export function congruenceAt(at: number, count: number, p: number, wt: number, q: number, to: number): void {
  scope(() => {
    const [ld, ldq] = [paddedSide(p), paddedSide(q)];
    const scratch = allocateDoubles(ld * ld + ld * ldq + ldq * ldq);
    kernels().congruenceBatch(at, count, p, wt, q, ldq, to, scratch);
  });
}
