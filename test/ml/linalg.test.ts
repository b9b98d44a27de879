import { describe, expect, it } from 'vitest';
import {
  cholesky,
  eigh,
  eighGeneral,
  eighRows,
  gram,
  inverseSpd,
  matmul,
  matmulTransposed,
  matvec,
  solve,
  solveSpd,
  transpose,
} from '../../ml/linalg/index.ts';
import { matrixOf, squareOf, squaresOf } from '../../ml/matrix.ts';
import type { Matrix } from '../../ml/matrix.ts';
import golden from './golden/numerics.json' with { type: 'json' };
import { covariances, noise, recording, relativeError } from './noise.ts';

const p = 5;
const x = Float64Array.from(recording(6, p, 60, 3));
const c = covariances(x, 6, p, 60, 'oas');
const [a, b] = [squareOf(c.slice(0, p * p), p), squareOf(c.slice(p * p, 2 * p * p), p)];
const product = (l: Matrix, r: Matrix): number[] => {
  const [m, k, n] = [l.rows, l.columns, r.columns];
  return Array.from({ length: m * n }, (_, at) => {
    let sum = 0;
    for (let i = 0; i < k; i++) sum += l.data[Math.floor(at / n) * k + i]! * r.data[i * n + (at % n)]!;
    return sum;
  });
};

describe('linear algebra, against NumPy 2.4 and SciPy 1.17', () => {
  it('solves symmetric eigenproblems', () => {
    const { values } = eigh(a);
    expect(relativeError(values, golden.linalg.eigenvalues)).toBeLessThan(1e-11);
  });

  it('solves generalised symmetric eigenproblems', () => {
    const solved = eighGeneral(a, b);
    expect(relativeError(solved!.values, golden.linalg.general)).toBeLessThan(1e-10);
    const projectors = Array.from({ length: p }, (_, k) => {
      const v = Float64Array.from({ length: p }, (_, i) => solved!.vectors.data[i * p + k]);
      return [...matmul(matrixOf(v, 1), matrixOf(v, p)).data];
    }).flat();
    expect(relativeError(projectors, golden.linalg.projectors)).toBeLessThan(1e-9);
    expect(eighGeneral(a, squareOf(new Float64Array(p * p), p))).toBeNull();
  });

  it('factors, inverts and solves', () => {
    expect(relativeError(cholesky(a)!.data, golden.linalg.cholesky)).toBeLessThan(1e-11);
    expect(relativeError(inverseSpd(a)!.data, golden.linalg.inverse)).toBeLessThan(1e-10);
    const left = Float64Array.from({ length: p * p }, (_, i) => x[Math.floor(i / p) * 60 + (i % p)]);
    const right = Float64Array.from({ length: p * 2 }, (_, i) => x[(i >> 1) * 60 + p + (i & 1)]);
    expect(relativeError(solve(squareOf(left, p), matrixOf(right, 2))!.data, golden.linalg.solved)).toBeLessThan(1e-9);
    expect(relativeError(matmul(a, solveSpd(a, b)!).data, b.data)).toBeLessThan(1e-11);
    expect(solve(squareOf(new Float64Array(p * p), p), matrixOf(right, 2))).toBeNull();
  });

  it.each([1, 2, 3, 4, 7, 8, 13, 22, 33, 64, 65, 128])('multiplies and decomposes matrices of side %i', (n) => {
    const l = matrixOf(noise(n * (n + 3), n), n + 3);
    const r = matrixOf(noise((n + 3) * (n + 1), n + 1), n + 1);
    const expected = product(l, r);
    expect(relativeError(matmul(l, r).data, expected)).toBeLessThan(1e-12);
    expect(relativeError(matmulTransposed(l, transpose(r)).data, expected)).toBeLessThan(1e-12);
    const first = r.data.slice(0, n + 3);
    expect(relativeError(matvec(l, first), product(l, matrixOf(first, 1)))).toBeLessThan(1e-12);
    const s = gram(l);
    expect(relativeError(s.data, product(l, transpose(l)))).toBeLessThan(1e-12);
    const { values, vectors } = eigh(s);
    const scaled = vectors.data.map((v, i) => v * values[i % n]!);
    expect(relativeError(product(squareOf(scaled, n), transpose(vectors)), s.data)).toBeLessThan(1e-12);
    const identity = Float64Array.from({ length: n * n }, (_, i) => (i % (n + 1) === 0 ? 1 : 0));
    expect(relativeError(product(transpose(vectors), vectors), identity)).toBeLessThan(1e-12);
    expect([...values].every((v, i) => i === 0 || v >= values[i - 1])).toBe(true);
  });

  it('decomposes batches like single matrices, also degenerate ones', () => {
    const n = 9;
    const shapes = [
      new Float64Array(n * n),
      gram(matrixOf(new Float64Array(n * 2).fill(1), 2)).data,
      gram(matrixOf(noise(n * 3, 4), 3)).data,
      gram(matrixOf(noise(n * 20, 4), 20)).data,
    ];
    const batch = new Float64Array(shapes.flatMap((m) => [...m]));
    const { values, rows } = eighRows(squaresOf(batch, n));
    shapes.forEach((m, i) => {
      const own = rows.slice(i * n * n, (i + 1) * n * n);
      const scaled = own.map((v, at) => v * values[i * n + Math.floor(at / n)]);
      expect(relativeError(matmul(transpose(squareOf(own, n)), squareOf(scaled, n)).data, m)).toBeLessThan(1e-12);
    });
  });

  it.each([2, 3, 4, 7, 13, 22, 40, 41, 64, 130])(
    'solves each matrix of a batch of side %i as if it were alone, bit for bit',
    (n) => {
      const random = (seed: number): Float64Array => gram(matrixOf(noise(n * (n + 2), seed), n + 2)).data;
      const each = (value: (i: number, j: number) => number): Float64Array =>
        Float64Array.from({ length: n * n }, (_, at) => value(Math.floor(at / n), at % n));
      const matrices: Float64Array[] = [
        random(1),
        each(() => 0),
        each((i, j) => (i === j ? i + 1 : 0)),
        random(2),
        each(() => 1),
        random(3).map((v) => v * 1e12),
        each((i, j) => (Math.abs(i - j) === 1 ? 1 : 0)),
        each((i, j) => (i < n / 2 === j < n / 2 ? 1 + (i === j ? i : 0) : 0)),
        random(4).map((v) => v * 1e-12),
        gram(matrixOf(noise(n * 2, 5), 2)).data,
        random(6).map((v, at) => v * 10 ** ((-6 * (Math.floor(at / n) + (at % n))) / n)),
      ];
      const together = new Float64Array(matrices.length * n * n);
      matrices.forEach((matrix, k) => together.set(matrix, k * n * n));
      const { values, rows } = eighRows(squaresOf(together, n));
      matrices.forEach((matrix, k) => {
        const alone = eighRows(squaresOf(matrix, n));
        const [ownValues, ownRows] = [values.subarray(k * n, (k + 1) * n), rows.subarray(k * n * n, (k + 1) * n * n)];
        expect(ownValues.every((value, i) => value === alone.values[i])).toBe(true);
        expect(ownRows.every((value, i) => value === alone.rows[i])).toBe(true);
        const scale = Math.max(1e-300, ...ownValues.map(Math.abs));
        const vectors = transpose(squareOf(ownRows, n)).data.map((value, at) => value * ownValues[at % n]!);
        const back = matmul(squareOf(vectors, n), squareOf(ownRows, n)).data;
        expect(Math.max(...back.map((value, at) => Math.abs(value - matrix[at]) / scale))).toBeLessThan(1e-12 * n);
      });
    },
  );
});
