import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { collectHeap } from '../../infra/main/heaps.ts';

it('collects what nobody refers to, and gives no context the means to', async () => {
  const refs = Array.from({ length: 100 }, () => new WeakRef({}));
  await setImmediate();
  collectHeap();
  expect(refs.filter((ref) => ref.deref() !== undefined)).toEqual([]);
  expect('gc' in globalThis).toBe(false);
});
