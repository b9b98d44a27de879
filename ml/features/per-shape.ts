import type { SignalShape } from '../types.ts';

/** `compute`, done once for each shape: what a recipe needs for every trial alike. */
export function perShape<T>(compute: (shape: SignalShape) => T): (shape: SignalShape) => T {
  const known = new WeakMap<SignalShape, T>();
  return (shape) => {
    const found = known.get(shape) ?? compute(shape);
    known.set(shape, found);
    return found;
  };
}
