import { WeightsFault } from './fault.ts';
import { gatherTensors } from './gather.ts';
import { asKind, type Value } from './pickle/values.ts';
import { findTensors, type TensorCall } from './state-dict.ts';
import { storageBytes, storageOf } from './storages.ts';
import type { StridedTensor } from './strided.ts';
import type { Wanted, Weights } from './types.ts';

/** The tensors of an object saved by torch, with at most `most` numbers in all. */
export function torchTensors(
  saved: Value,
  bytesOf: (key: string) => Uint8Array | undefined,
  wanted: Wanted,
  most: number,
): Weights {
  const found = findTensors(saved, wanted);
  return gatherTensors(
    found.map(([name, call]) => [name, () => tensorOf(call, bytesOf)] as const),
    most,
  );
}

function tensorOf([stored, first, dims, strides]: TensorCall, bytesOf: (key: string) => Uint8Array | undefined) {
  const id = asKind(stored ?? null, 'stored')?.id;
  const storage = id === undefined ? undefined : storageOf(id);
  if (!storage || typeof first !== 'number') throw new WeightsFault('it is made of no storage');
  const bytes = storageBytes(storage, bytesOf(storage.key));
  const tensor: StridedTensor = {
    dtype: storage.dtype!,
    dims: numbersIn(dims),
    strides: numbersIn(strides),
    first,
    storage: bytes,
  };
  return tensor;
}

function numbersIn(value: Value): number[] {
  const items = asKind(value ?? null, 'tuple', 'list')?.items;
  if (!items) throw new WeightsFault('its dimensions or strides are missing');
  return items.map((item) => (typeof item === 'number' ? item : Number.NaN));
}
