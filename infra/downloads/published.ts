import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** Published size and hashes of a file; null: not published. At least one hash is known. */
export interface Published {
  readonly bytes: number | null;
  /** In hexadecimal. */
  readonly sha256: string | null;
  /** Git object id: SHA-1 of `blob`, a space, the size, a zero byte, and the bytes. */
  readonly gitBlob?: string | null;
}

/** How the file at `path`, of `size` bytes, differs from the published one; null: it is identical. */
export async function differenceOf(
  path: string,
  size: number,
  { bytes, sha256, gitBlob = null }: Published,
  signal?: AbortSignal,
): Promise<string | null> {
  if (bytes !== null && size !== bytes) return `it has ${size} bytes and ${bytes} are published`;
  if (sha256 === null && gitBlob === null) return 'no hash of it is published';
  const found = await hashesOf(path, size, { sha256: sha256 !== null, gitBlob: gitBlob !== null }, signal);
  if (found.sha256 !== sha256) return `its SHA-256 is ${found.sha256} and ${sha256} is published`;
  if (found.gitBlob !== gitBlob) return `its git object id is ${found.gitBlob} and ${gitBlob} is published`;
  return null;
}

/** SHA-256 of a file in hexadecimal, read in pieces. */
export async function sha256Of(path: string, signal?: AbortSignal): Promise<string> {
  const { sha256 } = await hashesOf(path, 0, { sha256: true, gitBlob: false }, signal);
  return sha256!;
}

/** The requested hashes of a file of `size` bytes, in hexadecimal, the others null. Reads the file once, in pieces. */
async function hashesOf(
  path: string,
  size: number,
  asked: Readonly<Record<'sha256' | 'gitBlob', boolean>>,
  signal?: AbortSignal,
): Promise<Readonly<Record<'sha256' | 'gitBlob', string | null>>> {
  const sha256 = asked.sha256 ? createHash('sha256') : null;
  const gitBlob = asked.gitBlob ? createHash('sha1').update(`blob ${size}\0`) : null;
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 20, ...(signal && { signal }) })) {
    sha256?.update(piece as Uint8Array);
    gitBlob?.update(piece as Uint8Array);
  }
  return { sha256: sha256?.digest('hex') ?? null, gitBlob: gitBlob?.digest('hex') ?? null };
}
