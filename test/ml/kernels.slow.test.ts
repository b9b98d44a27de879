import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { buildKernels } from '../../ml/kernels/assembly/build.ts';
import { allocate, kernels, place, scope, viewDoubles } from '../../ml/kernels/index.ts';

describe('kernels', () => {
  it('are those that the sources compile to (npm run kernels)', async () => {
    const committed = await readFile(new URL('../../ml/kernels/binary.ts', import.meta.url), 'utf8');
    expect(await buildKernels()).toBe(committed);
  });

  it('keep the values of an outer scope while inner scopes grow the memory and end', () => {
    scope(() => {
      const values = Float64Array.of(1, 2, 3);
      const kept = place(values);
      const first = scope(() => allocate(40_000_000));
      const second = scope(() => allocate(40_000_000));
      expect(second).toBe(first);
      expect(viewDoubles(kept, 3)).toEqual(values);
    });
  });

  it('free what was allocated when a computation throws', () => {
    const before = scope(() => allocate(8));
    expect(() =>
      scope(() => {
        allocate(1_000_000);
        throw new RangeError('stop');
      }),
    ).toThrow('stop');
    expect(scope(() => allocate(8))).toBe(before);
    expect(before % 64).toBe(0);
    expect(kernels().memory.buffer.byteLength).toBeLessThan(200_000_000);
  });
});
