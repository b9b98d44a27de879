import { quoted, WeightsFault } from './fault.ts';
import { isSafetensors, readSafetensors } from './safetensors.ts';
import { isTar, tarMember } from './tar.ts';
import { readTorchStream } from './torch-stream.ts';
import { readTorchZip } from './torch-zip.ts';
import type { ReadOptions, Wanted, Weights } from './types.ts';

export { WeightsFault } from './fault.ts';
export type { Tensor, Weights } from './types.ts';

interface Format {
  readonly fits: (bytes: Uint8Array) => boolean;
  readonly read: (bytes: Uint8Array, wanted: Wanted) => Weights;
}

const beginsWith =
  (...first: readonly number[]) =>
  (bytes: Uint8Array): boolean =>
    first.every((byte, at) => bytes[at] === byte);

const compressed = (): never => {
  throw new WeightsFault('it is compressed with gzip; unpack it first');
};

/** In this order: the length that a file of safetensors begins with may look like the begin of another one. */
const formats: readonly Format[] = [
  { fits: isSafetensors, read: readSafetensors },
  { fits: beginsWith(0x80), read: readTorchStream },
  { fits: beginsWith(0x50, 0x4b, 3, 4), read: readTorchZip },
  { fits: beginsWith(0x1f, 0x8b), read: compressed },
];

/**
 * Reads published weights: what `torch.save` wrote (streams from before version 1.6, bare or in a tar, and zips) or
 * safetensors, told apart by what they begin with. Tensors of float32, float64, float16, bfloat16, int64, int32, uint8
 * and bool become row-major numbers of 32 bits; what is no tensor is passed over.
 *
 * The file is taken as data: no class or function that it names is called, and nothing is written. Reading ends in time
 * proportional to its size: what a pickle holds in several places is looked at once, and of the names that dictionaries
 * in dictionaries come to there are at most 2^20. Besides the file it holds at most
 * - 4 bytes for each byte of it, or 84 and 5 MiB of a zip with deflated entries, which torch does not write;
 * - 4 bytes for each byte of text in its pickle, and 200 for each operation, of which there are at most 2^20;
 * - 64 bytes for each byte of a header of safetensors, of which there are at most 2^22.
 *
 * Throws a WeightsFault that names file and reason where the file is not what it should be, is damaged or cut short,
 * or holds no tensor that is asked for. Whether its numbers are the published ones, the hash of the file says.
 */
export function readWeights(bytes: Uint8Array, { file, member, ...wanted }: ReadOptions): Weights {
  try {
    const content = contentOf(bytes, member);
    const format = formats.find(({ fits }) => fits(content));
    if (!format) throw new WeightsFault('it is neither safetensors nor a file of torch');
    return format.read(content, wanted);
  } catch (error) {
    throw error instanceof WeightsFault ? new WeightsFault(error.reason, file) : error;
  }
}

function contentOf(bytes: Uint8Array, member: string | undefined): Uint8Array {
  if (isTar(bytes) && !isSafetensors(bytes)) return tarMember(bytes, member);
  if (member !== undefined) throw new WeightsFault(`it is no tar, so that it holds no ${quoted(member)}`);
  return bytes;
}
