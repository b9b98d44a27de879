import { expect, it } from 'vitest';
import { allocateDoubles, kernels, paddedSide, place, scope, viewDoubles } from '../../ml/kernels/index.ts';
import { gram } from '../../ml/linalg/index.ts';
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
  'eigenvalues of matrices of side %i are found in the memory that is asked for',
  (n) => {
    const ld = paddedSide(n);
    for (const vectors of [0, 1])
      for (const count of [1, 2, 7, 8, 9])
        scope(() => {
          const c = place(new Float64Array(count * n * n));
          for (let k = 0; k < count; k += 1)
            viewDoubles(c + 8 * k * n * n, n * n).set(gram(noise(n * (n + 2), k + 1), n, n + 2));
          const [z, values, work] = [watched(count * n * ld), watched(count * n), watched(kernels().eigenWork(n))];
          kernels().eigenBatch(c, count, n, z.at, ld, values.at, work.at, vectors);
          expect([z, values, work].map(({ written }) => written())).toEqual([0, 0, 0]);
        });
  },
);
