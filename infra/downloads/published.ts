import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/** What is published of the bytes of a file; null: nothing. At least one of the hashes is known. */
export interface Published {
  readonly bytes: number | null;
  /** In hexadecimal. */
  readonly sha256: string | null;
  /** Git object id: SHA-1 of `blob`, a space, the size, a zero byte, and the bytes. */
  readonly gitBlob?: string | null;
}

/** How the file at `path`, of `size` bytes, differs from the published one; null: not at all. */
export async function differenceOf(
  path: string,
  size: number,
  { bytes, sha256, gitBlob = null }: Published,
  signal?: AbortSignal,
): Promise<string | null> {
  if (bytes !== null && size !== bytes) return `it has ${size} bytes and ${bytes} are published`;
  if (sha256 === null && gitBlob === null) return 'no hash of it is published';
  if (sha256 !== null) {
    const found = await sha256Of(path, signal);
    if (found !== sha256) return `its SHA-256 is ${found} and ${sha256} is published`;
  }
  if (gitBlob !== null) {
    const found = await gitBlobOf(path, signal);
    if (found !== gitBlob) return `its git object id is ${found} and ${gitBlob} is published`;
  }
  return null;
}

/** SHA-256 of a file in hexadecimal, read in pieces. */
export const sha256Of = (path: string, signal?: AbortSignal): Promise<string> =>
  hashOf(path, createHash('sha256'), signal);

/** Git object id of a file in hexadecimal, read in pieces. */
export async function gitBlobOf(path: string, signal?: AbortSignal): Promise<string> {
  const { size } = await stat(path);
  return await hashOf(path, createHash('sha1').update(`blob ${size}\0`), signal);
}

async function hashOf(path: string, hash: Hash, signal?: AbortSignal): Promise<string> {
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash, { signal });
  return hash.digest('hex');
}
