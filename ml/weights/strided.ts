import type { Dtype } from './dtypes.ts';
import { WeightsFault } from './fault.ts';
import type { Tensor } from './types.ts';

const mostDims = 64;

/** A tensor inside a file: the position of each of its numbers, counted in numbers from the start of its storage. */
export interface StridedTensor {
  readonly dtype: Dtype;
  readonly dims: readonly number[];
  readonly strides: readonly number[];
  readonly first: number;
  readonly storage: Uint8Array;
}

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

/** Number of elements. Throws unless all of them lie inside the storage and there are at most `most`. */
export function checkedSize({ dtype, dims, strides, first, storage }: StridedTensor, most: number): number {
  if (dims.length > mostDims) throw new WeightsFault(`it has ${dims.length} dimensions, more than ${mostDims}`);
  if (strides.length !== dims.length)
    throw new WeightsFault(`it has ${dims.length} dimensions and ${strides.length} strides`);
  for (const value of [...dims, ...strides, first])
    if (!isCount(value)) throw new WeightsFault(`${value} is no dimension, stride or offset`);
  const size = dims.reduce((product, dim) => product * dim, 1);
  if (!(size <= most)) throw new WeightsFault(`it would have ${size} numbers, more than the file may hold`);
  const last = dims.reduce((sum, dim, axis) => sum + (dim - 1) * strides[axis], first);
  const storedCount = Math.floor(storage.length / dtype.bytes);
  if (size > 0 && !(last < storedCount))
    throw new WeightsFault(`it takes number ${last + 1} of a storage of ${storedCount}`);
  return size;
}

/** Copies a tensor of at most `most` numbers to row-major float32. */
export function copyStrided(tensor: StridedTensor, most: number): Tensor {
  const { dtype, dims, strides, first, storage } = tensor;
  const { read, bytes } = dtype;
  if (!read) throw new WeightsFault(`numbers of type ${dtype.name} are not read`);
  const data = new Float32Array(checkedSize(tensor, most));
  const view = new DataView(storage.buffer, storage.byteOffset, storage.byteLength);
  const index = dims.map(() => 0);
  for (let k = 0, at = first; k < data.length; k++) {
    data[k] = read(view, at * bytes);
    for (let axis = dims.length - 1; axis >= 0; axis--) {
      at += strides[axis];
      if (++index[axis] < dims[axis]) break;
      at -= strides[axis] * dims[axis];
      index[axis] = 0;
    }
  }
  return { dims: [...dims], data };
}
