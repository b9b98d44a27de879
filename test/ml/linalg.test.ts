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
import golden from './golden/numerics.json' with { type: 'json' };
import { covariances, noise, recording, relativeError } from './noise.ts';

const p = 5;
const x = Float64Array.from(recording(6, p, 60, 3));
const c = covariances(x, 6, p, 60, 'oas');
const [a, b] = [c.slice(0, p * p), c.slice(p * p, 2 * p * p)];
const product = (l: Float64Array, r: Float64Array, m: number, k: number, n: number): number[] =>
  Array.from({ length: m * n }, (_, at) => {
    let sum = 0;
    for (let i = 0; i < k; i++) sum += l[Math.floor(at / n) * k + i] * r[i * n + (at % n)];
    return sum;
  });

describe('linear algebra, against NumPy 2.4 and SciPy 1.17', () => {
  it('solves symmetric eigenproblems', () => {
    const { values } = eigh(a, p);
    expect(relativeError(values, golden.linalg.eigenvalues)).toBeLessThan(1e-11);
  });

  it('solves generalised symmetric eigenproblems', () => {
    const solved = eighGeneral(a, b, p);
    expect(relativeError(solved!.values, golden.linalg.general)).toBeLessThan(1e-10);
    const projectors = Array.from({ length: p }, (_, k) => {
      const v = Float64Array.from({ length: p }, (_, i) => solved!.vectors[i * p + k]);
      return [...matmul(v, v, p, 1, p)];
    }).flat();
    expect(relativeError(projectors, golden.linalg.projectors)).toBeLessThan(1e-9);
    expect(eighGeneral(a, new Float64Array(p * p), p)).toBeNull();
  });

  it('factors, inverts and solves', () => {
    expect(relativeError(cholesky(a, p)!, golden.linalg.cholesky)).toBeLessThan(1e-11);
    expect(relativeError(inverseSpd(a, p)!, golden.linalg.inverse)).toBeLessThan(1e-10);
    const left = Float64Array.from({ length: p * p }, (_, i) => x[Math.floor(i / p) * 60 + (i % p)]);
    const right = Float64Array.from({ length: p * 2 }, (_, i) => x[(i >> 1) * 60 + p + (i & 1)]);
    expect(relativeError(solve(left, right, p, 2)!, golden.linalg.solved)).toBeLessThan(1e-9);
    expect(relativeError(matmul(a, solveSpd(a, b, p, p)!, p, p, p), b)).toBeLessThan(1e-11);
    expect(solve(new Float64Array(p * p), right, p, 2)).toBeNull();
  });

  it.each([1, 2, 3, 4, 7, 8, 13, 22, 33, 64, 65, 128])('multiplies and decomposes matrices of side %i', (n) => {
    const l = noise(n * (n + 3), n);
    const r = noise((n + 3) * (n + 1), n + 1);
    const expected = product(l, r, n, n + 3, n + 1);
    expect(relativeError(matmul(l, r, n, n + 3, n + 1), expected)).toBeLessThan(1e-12);
    expect(relativeError(matmulTransposed(l, transpose(r, n + 3, n + 1), n, n + 3, n + 1), expected)).toBeLessThan(
      1e-12,
    );
    expect(relativeError(matvec(l, r, n, n + 3), product(l, r.slice(0, n + 3), n, n + 3, 1))).toBeLessThan(1e-12);
    const s = gram(l, n, n + 3);
    expect(relativeError(s, product(l, transpose(l, n, n + 3), n, n + 3, n))).toBeLessThan(1e-12);
    const { values, vectors } = eigh(s, n);
    const rebuilt = product(
      vectors.map((v, i) => v * values[i % n]),
      transpose(vectors, n, n),
      n,
      n,
      n,
    );
    expect(relativeError(rebuilt, s)).toBeLessThan(1e-12);
    const identity = Float64Array.from({ length: n * n }, (_, i) => (i % (n + 1) === 0 ? 1 : 0));
    expect(relativeError(product(transpose(vectors, n, n), vectors, n, n, n), identity)).toBeLessThan(1e-12);
    expect([...values].every((v, i) => i === 0 || v >= values[i - 1])).toBe(true);
  });

  it('decomposes batches like single matrices, also degenerate ones', () => {
    const n = 9;
    const shapes = [
      new Float64Array(n * n),
      gram(new Float64Array(n * 2).fill(1), n, 2),
      gram(noise(n * 3, 4), n, 3),
      gram(noise(n * 20, 4), n, 20),
    ];
    const batch = new Float64Array(shapes.flatMap((m) => [...m]));
    const { values, rows } = eighRows(batch, shapes.length, n);
    shapes.forEach((m, i) => {
      const own = rows.slice(i * n * n, (i + 1) * n * n);
      const scaled = own.map((v, at) => v * values[i * n + Math.floor(at / n)]);
      expect(relativeError(matmul(transpose(own, n, n), scaled, n, n, n), m)).toBeLessThan(1e-12);
    });
  });

  it.each([2, 3, 4, 7, 13, 22, 40, 41, 64, 130])(
    'solves each matrix of a batch of side %i as if it were alone, bit for bit',
    (n) => {
      const random = (seed: number): Float64Array => gram(noise(n * (n + 2), seed), n, n + 2);
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
        gram(noise(n * 2, 5), n, 2),
        random(6).map((v, at) => v * 10 ** ((-6 * (Math.floor(at / n) + (at % n))) / n)),
      ];
      const together = new Float64Array(matrices.length * n * n);
      matrices.forEach((matrix, k) => together.set(matrix, k * n * n));
      const { values, rows } = eighRows(together, matrices.length, n);
      matrices.forEach((matrix, k) => {
        const alone = eighRows(matrix, 1, n);
        const [ownValues, ownRows] = [values.subarray(k * n, (k + 1) * n), rows.subarray(k * n * n, (k + 1) * n * n)];
        expect(ownValues.every((value, i) => value === alone.values[i])).toBe(true);
        expect(ownRows.every((value, i) => value === alone.rows[i])).toBe(true);
        const scale = Math.max(1e-300, ...ownValues.map(Math.abs));
        const back = matmul(
          transpose(ownRows, n, n).map((value, at) => value * ownValues[at % n]),
          ownRows,
          n,
          n,
          n,
        );
        expect(Math.max(...back.map((value, at) => Math.abs(value - matrix[at]) / scale))).toBeLessThan(1e-12 * n);
      });
    },
  );
});
