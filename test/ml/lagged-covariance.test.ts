import { expect, it } from 'vitest';
import { writeCovariance, writeLaggedCovariance } from '../../ml/features/write-covariance.ts';
import { scope } from '../../ml/kernels/index.ts';
import { createRandom } from '../../ml/random.ts';
import { groupsAt } from '../../ml/signal/index.ts';

it.each([
  [22, 1024, 3, 8],
  [8, 256, 4, 8],
  [3, 100, 4, 8],
  [33, 300, 2, 8],
  [5, 13, 3, 2],
  [3, 9, 4, 1],
  [3, 6, 4, 1],
])('%d channels of %d samples, in %d copies %d apart, have the covariance of the copies', (rows, run, copies, lag) => {
  const random = createRandom(16);
  const data = Float32Array.from({ length: rows * run }, (_, at) => 20 * random() + (at % run === 2 ? 1e5 : 0));
  const size = (copies * rows * (copies * rows + 1)) / 2;
  const [shared, apart] = [new Float64Array(size), new Float64Array(size)];
  scope(() => {
    const from = groupsAt(data, rows, run);
    const parts = Array.from({ length: copies }, (_, copy) => from + copy * lag * 64);
    writeCovariance({ parts, rows, run, samples: run - (copies - 1) * lag }, apart, 0);
    writeLaggedCovariance({ from, rows, run, copies, lag }, shared, 0);
  });
  const largest = apart.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  shared.forEach((value, at) => expect(Math.abs(value - apart[at])).toBeLessThan(1e-13 * largest));
});
