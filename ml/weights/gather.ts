import { quoted, WeightsFault } from './fault.ts';
import { copyStrided, type StridedTensor } from './strided.ts';
import type { Tensor, Weights } from './types.ts';

const mostTensors = 65_536;

/**
 * Gathers tensors by name, with at most `most` numbers in all. So tensors that share a storage, or repeat one number by
 * a stride of 0, take at most four bytes of memory for each byte of the file.
 */
export function gatherTensors(tensors: Iterable<readonly [string, () => StridedTensor]>, most: number): Weights {
  const all = new Map<string, Tensor>();
  let left = most;
  for (const [name, find] of tensors) {
    if (all.has(name)) throw new WeightsFault(`it has tensor ${quoted(name)} twice`);
    if (all.size === mostTensors) throw new WeightsFault(`it has more than ${mostTensors} tensors`);
    const tensor = namingTensor(name, () => copyStrided(find(), left));
    left -= tensor.data.length;
    all.set(name, tensor);
  }
  if (all.size === 0) throw new WeightsFault('it holds no tensor that is asked for');
  return all;
}

function namingTensor<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof WeightsFault ? new WeightsFault(`of tensor ${quoted(name)}: ${error.reason}`) : error;
  }
}
