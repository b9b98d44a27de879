import { z } from 'zod';
import { Cursor } from './cursor.ts';
import { safetensorsDtypes } from './dtypes.ts';
import { quoted, WeightsFault } from './fault.ts';
import { gatherTensors } from './gather.ts';
import { checkedSize, type StridedTensor } from './strided.ts';
import type { Wanted, Weights } from './types.ts';

const longestHeader = 2 ** 22;
const count = z.int().min(0);
/** Checked before the items, so that there are few issues to report. */
const fewItems = z.array(z.unknown()).max(64);

const entrySchema = z.object({
  dtype: z.string().max(64),
  shape: fewItems.pipe(z.array(count)),
  data_offsets: fewItems.pipe(z.tuple([count, count])),
});

type Entry = z.infer<typeof entrySchema>;

/** Whether the bytes begin with the length of a header below 4 GiB, and the header with `{`. */
export const isSafetensors = (bytes: Uint8Array): boolean =>
  bytes[8] === 0x7b && [4, 5, 6, 7].every((at) => bytes[at] === 0);

/**
 * Reads a safetensors file: the length of the header, the header in JSON, then the numbers without gaps and nothing
 * after them. Names are not nested there: `under` is their prefix, before a `.`.
 */
export function readSafetensors(bytes: Uint8Array, { under, only = () => true }: Wanted): Weights {
  const cursor = new Cursor(bytes);
  const length = cursor.u64();
  if (length > longestHeader) throw new WeightsFault(`its header would have ${length} bytes`);
  const header = readHeader(cursor.take(length));
  const data = cursor.take(cursor.left);
  let end = 0;
  const before = under === undefined ? '' : `${under}.`;
  const wanted: [string, () => StridedTensor][] = [];
  for (const [name, entry] of header.sort((a, b) => a[1].data_offsets[0] - b[1].data_offsets[0])) {
    const [from, to] = entry.data_offsets;
    if (from !== end || to < from || to > data.length)
      throw new WeightsFault(`tensor ${quoted(name)} lies at bytes ${from} to ${to}, after ${end} of ${data.length}`);
    end = to;
    const shown = name.slice(before.length);
    if (name.startsWith(before) && only(shown)) wanted.push([shown, () => tensorOf(entry, data.subarray(from, to))]);
  }
  if (end !== data.length) throw new WeightsFault(`${data.length - end} bytes follow its last tensor`);
  return gatherTensors(wanted, bytes.length);
}

function readHeader(bytes: Uint8Array): [string, Entry][] {
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new WeightsFault('its header is no JSON');
  }
  // It begins with `{`.
  const tensors = Object.entries(json as object).filter(([name]) => name !== '__metadata__');
  return tensors.map(([name, entry]) => [name, readEntry(name, entry)]);
}

function readEntry(name: string, entry: unknown): Entry {
  const { success, data, error } = entrySchema.safeParse(entry);
  if (success) return data;
  const [{ path, message }] = error.issues;
  throw new WeightsFault(`its header is wrong at ${quoted([name, ...path].join('.'))}: ${message}`);
}

function tensorOf({ dtype, shape }: Entry, storage: Uint8Array): StridedTensor {
  const type = safetensorsDtypes.get(dtype);
  if (!type) throw new WeightsFault(`numbers of type ${quoted(dtype)} are not read`);
  const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((product, dim) => product * dim, 1));
  const tensor = { dtype: type, dims: shape, strides, first: 0, storage };
  const size = checkedSize(tensor, storage.length);
  if (size * type.bytes !== storage.length)
    throw new WeightsFault(`its ${size} numbers of type ${type.name} do not fill ${storage.length} bytes`);
  return tensor;
}
