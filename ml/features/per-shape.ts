import type { SignalShape } from '../types.ts';

/** Caches `compute` by shape: values that a recipe needs for every trial. */
export function perShape<T>(compute: (shape: SignalShape) => T): (shape: SignalShape) => T {
  const known = new WeakMap<SignalShape, T>();
  return (shape) => {
    const found = known.get(shape) ?? compute(shape);
    known.set(shape, found);
    return found;
  };
}
