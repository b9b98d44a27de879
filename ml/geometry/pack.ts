import { countOf, squareOf, squaresOf } from '../matrix.ts';
import type { Matrices, Matrix } from '../matrix.ts';

/** Number of values in the upper triangle of a symmetric p × p matrix. */
export const packedSize = (p: number): number => (p * (p + 1)) / 2;

/** Index of row a and column b ≥ a in the packed upper triangle of a symmetric p × p matrix. */
export const packedAt = (a: number, b: number, p: number): number => a * p - (a * (a - 1)) / 2 + b - a;

/** Side p of a symmetric matrix whose upper triangle holds `size` values. */
export const sideOf = (size: number): number => Math.round((Math.sqrt(8 * size + 1) - 1) / 2);

/**
 * Upper triangles, row-major [n × p(p+1)/2], of symmetric matrices [n × p × p]. Values off the diagonal are multiplied
 * by `scale`.
 */
export function packUpper(c: Matrix | Matrices, scale = 1): Float64Array {
  const packed = new Float64Array(countOf(c) * packedSize(c.rows));
  packInto(c, scale, packed, 0);
  return packed;
}

/** `packUpper` into out[at …]. */
export function packInto(c: Matrix | Matrices, scale: number, out: Float64Array, at: number): void {
  const { data, rows: p } = c;
  const n = countOf(c);
  let to = at;
  for (let t = 0; t < n; t++) {
    for (let i = 0; i < p; i++) {
      const row = (t * p + i) * p;
      out[to++] = data[row + i];
      for (let j = i + 1; j < p; j++) out[to++] = scale * data[row + j];
    }
  }
}

/** Symmetric matrices [n × p × p] from upper triangles [n × p(p+1)/2]. */
export function unpackUpper(packed: Float64Array, p: number): Matrices {
  const n = packed.length / packedSize(p);
  const c = new Float64Array(n * p * p);
  let from = 0;
  for (let t = 0; t < n; t++) {
    const at = t * p * p;
    for (let i = 0; i < p; i++) {
      c[at + i * p + i] = packed[from++];
      for (let j = i + 1; j < p; j++) c[at + i * p + j] = c[at + j * p + i] = packed[from++];
    }
  }
  return squaresOf(c, p, n);
}

/** One symmetric matrix [p × p] from its upper triangle [p(p+1)/2]. */
export const unpackMatrix = (packed: Float64Array, p: number): Matrix => squareOf(unpackUpper(packed, p).data, p);
