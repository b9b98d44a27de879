import type { Transferable } from 'node:worker_threads';

const moved = new WeakMap<object, readonly Transferable[]>();

/** Marks buffers of a result to be moved to the caller instead of copied. The task must not use them afterwards. */
export function moving<T extends object>(value: T, buffers: readonly Transferable[]): T {
  moved.set(value, buffers);
  return value;
}

/** The buffers that `moving` marked; none for other values. */
export const movedOf = (value: unknown): readonly Transferable[] =>
  (typeof value === 'object' && value !== null ? moved.get(value) : undefined) ?? [];
