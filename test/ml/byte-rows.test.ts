import { expect, test } from 'vitest';
import { withByteRows } from '../../ml/linalg/index.ts';
import { nthSmallest } from '../../ml/nth-smallest.ts';
import { seeded } from './augmentations.ts';

test('inner products of 8-bit rows are exact, of the largest numbers too', () => {
  const [rows, width, columns] = [7, 48, 32];
  const random = seeded(1);
  const data = Int8Array.from({ length: rows * width }, (_, i) => (i < 2 * width ? -128 : 256 * random() - 128));
  const own = { from: 0, step: 1, count: 3 };
  const others = { from: 1, step: 2, count: 3 };
  const out = new Int32Array(9);
  withByteRows(data, width, columns, (placed) => placed.products(own, others, out));
  const product = (a: number, b: number): number =>
    Array.from({ length: columns }, (_, i) => data[a * width + i]! * data[b * width + i]!).reduce((x, y) => x + y);
  expect([...out]).toEqual([0, 1, 2].flatMap((a) => [1, 3, 5].map((b) => product(a, b))));
});

test('the n-th smallest value is that at index n of the sorted values, equal values included', () => {
  const random = seeded(2);
  for (const [length, levels] of [
    [1, 5],
    [2, 5],
    [9, 3],
    [500, 20],
    [501, 1e9],
  ] as const) {
    const values = Float64Array.from({ length }, () => Math.floor(levels * random()) - levels / 2);
    const sorted = values.toSorted();
    for (const n of [0, length >> 1, length - 1]) expect(nthSmallest(values.slice(), n)).toBe(sorted[n]);
  }
});
