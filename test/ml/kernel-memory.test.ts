import { expect, it } from 'vitest';
import { allocateDoubles, freeMemory, kernels, paddedSide, place, scope, viewDoubles } from '../../ml/kernels/index.ts';
import { gram } from '../../ml/linalg/index.ts';
import { matrixOf } from '../../ml/matrix.ts';
import { noise } from './noise.ts';

const beyond = 1024;
const untouched = 12_345.678;

/** Room for `count` values, and a look at what lies beyond it: how much of that was written. */
function watched(count: number): { at: number; written: () => number } {
  const at = allocateDoubles(count + beyond);
  const rest = (): Float64Array => viewDoubles(at + 8 * count, beyond);
  rest().fill(untouched);
  return { at, written: () => rest().filter((value) => value !== untouched).length };
}

it.each([1, 2, 3, 5, 12, 13, 39, 40, 41, 44, 63, 64, 65, 66, 90, 130])(
  'eigenvalues of matrices of side %i need no more than the requested memory',
  (n) => {
    const ld = paddedSide(n);
    for (const vectors of [0, 1])
      for (const count of [1, 2, 7, 8, 9])
        scope(() => {
          const c = place(new Float64Array(count * n * n));
          for (let k = 0; k < count; k += 1)
            viewDoubles(c + 8 * k * n * n, n * n).set(gram(matrixOf(noise(n * (n + 2), k + 1), n + 2)).data);
          const [z, values, work] = [watched(count * n * ld), watched(count * n), watched(kernels().eigenWork(n))];
          kernels().eigenBatch(c, count, n, z.at, ld, values.at, work.at, vectors);
          expect([z, values, work].map(({ written }) => written())).toEqual([0, 0, 0]);
        });
  },
);

it.each([16, 17, 21, 22, 66, 67])('so are logarithms of matrices of side %i', (n) => {
  const ld = paddedSide(n);
  for (const nodes of [2, 40])
    scope(() => {
      const c = place(gram(matrixOf(noise(n * 3 * n, 7), 3 * n)).data);
      const table = place(new Float64Array(2 * nodes).fill(0.5));
      const [z, bounds, out] = [watched(n * ld), watched(2), watched(n * n)];
      const work = watched(kernels().logarithmWork(n, nodes));
      kernels().reduceBounded(c, n, z.at, ld, 1e-6, work.at, bounds.at);
      kernels().logarithmOf(z.at, n, ld, work.at, nodes, table, 1, 0, out.at);
      expect([z, bounds, out, work].map(({ written }) => written())).toEqual([0, 0, 0, 0]);
    });
});

it('is small again after it was freed, and calculates as before', () => {
  const product = (): Float64Array => gram(matrixOf(noise(12, 3), 4)).data.slice();
  const before = product();
  scope(() => allocateDoubles(4_000_000));
  const bytes = (): number => kernels().memory.buffer.byteLength;
  expect(bytes()).toBeGreaterThan(32_000_000);
  scope(() => {
    allocateDoubles(1);
    freeMemory();
  });
  expect(bytes()).toBeGreaterThan(32_000_000);
  freeMemory();
  expect(bytes()).toBeLessThan(8_000_000);
  expect(product()).toEqual(before);
});
