import type { Tensor, Weights } from '../weights/types.ts';

/**
 * The tensor stored as `name`.
 *
 * @throws RangeError if it is missing or has other dimensions: the weights then belong to another model.
 */
export function tensorOf(weights: Weights, name: string, dims: readonly number[]): Tensor {
  const found = weights.get(name);
  if (!found) throw new RangeError(`The weights hold no tensor ${name}.`);
  if (found.dims.join() !== dims.join())
    throw new RangeError(`The tensor ${name} is ${found.dims.join(' × ')}, not ${dims.join(' × ')}.`);
  return found;
}
