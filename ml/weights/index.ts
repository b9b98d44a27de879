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

/** The order matters: the length at the start of a safetensors file may look like the start of another format. */
const formats: readonly Format[] = [
  { fits: isSafetensors, read: readSafetensors },
  { fits: beginsWith(0x80), read: readTorchStream },
  { fits: beginsWith(0x50, 0x4b, 3, 4), read: readTorchZip },
  { fits: beginsWith(0x1f, 0x8b), read: compressed },
];

/**
 * Reads published weights: a file of `torch.save` (a stream from before version 1.6, bare or in a tar, or a zip) or of
 * safetensors. The first bytes decide which. Converts tensors of float32, float64, float16, bfloat16, int64, int32,
 * uint8 and bool to row-major float32, and skips everything else.
 *
 * The file is treated as data: no class or function that it names is called, and nothing is written to disk. The time
 * is proportional to its size: a value that a pickle contains in several places is visited once, and nested
 * dictionaries give at most 2^20 names. Memory beside the file, at most:
 * - 4 bytes for each byte of it, or 84 and 5 MiB for a zip with deflated entries, which torch does not write;
 * - 4 bytes for each byte of text in its pickle, and 200 for each operation, of which there are at most 2^20;
 * - 64 bytes for each byte of a safetensors header, which has at most 2^22 bytes.
 *
 * Throws a WeightsFault with file and reason if the format is unknown, if the file is damaged or cut short, or if it
 * contains no wanted tensor. It does not check that these are the published numbers: the hash of the file does.
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
