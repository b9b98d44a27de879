import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { storeLater } from '../../activities/fit/store-later.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('work that ends sooner stores nothing', async () => {
  const write = vi.fn(async () => undefined);
  {
    await using later = storeLater(5_000, write, () => undefined);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(later.isStored).toBe(false);
  }
  await vi.advanceTimersByTimeAsync(60_000);
  expect(write).not.toHaveBeenCalled();
});

it('work that continues is stored once, and reports it', async () => {
  const write = vi.fn(async () => undefined);
  const then = vi.fn();
  await using later = storeLater(5_000, write, then);
  await vi.advanceTimersByTimeAsync(5_000);
  expect([later.isStored, then.mock.calls.length]).toEqual([true, 1]);
  await later.store();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(write).toHaveBeenCalledTimes(1);
});

it('a failed store is retried, less and less often', async () => {
  const write = vi.fn(async () => Promise.reject(new Error('The disk was full.')));
  await using _later = storeLater(0, write, () => undefined);
  await vi.advanceTimersByTimeAsync(62_000);
  expect(write).toHaveBeenCalledTimes(6);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(write).toHaveBeenCalledTimes(8);
});

it('a failed store is reported to its waiting callers, and retried until it succeeds', async () => {
  const write = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error('The disk was full.'));
  await using later = storeLater(0, write, () => undefined);
  await vi.advanceTimersByTimeAsync(0);
  expect(later.isStored).toBe(false);
  await vi.advanceTimersByTimeAsync(2_000);
  expect([later.isStored, write.mock.calls.length]).toEqual([true, 2]);

  write.mockRejectedValueOnce(new Error('The disk was full.'));
  await using asked = storeLater(5_000, write, () => undefined);
  await expect(asked.store()).rejects.toThrow('The disk was full.');
  await asked.store();
  expect(asked.isStored).toBe(true);
});

it('disposal waits for a store that has begun, and does not try it again', async () => {
  const held = Promise.withResolvers<void>();
  const write = vi.fn(() => held.promise);
  const later = storeLater(0, write, () => undefined);
  await vi.advanceTimersByTimeAsync(0);
  let isOver = false;
  const over = later[Symbol.asyncDispose]().then(() => (isOver = true));
  await vi.advanceTimersByTimeAsync(100);
  expect(isOver).toBe(false);
  held.reject(new Error('The disk was full.'));
  await over;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(write).toHaveBeenCalledTimes(1);
});
