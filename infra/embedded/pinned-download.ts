import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import type { Progress } from './progress.ts';

/** A program inside a `.tar.gz` that is published at a fixed address. */
export interface PinnedArchive {
  readonly url: string;
  /** SHA-256 of the archive, in hexadecimal. */
  readonly sha256: string;
  /** Path of the program in the archive. */
  readonly member: string;
}

const firstByteSeconds = 10;
const wholeSeconds = 300;

/**
 * Downloads a program to `target`, atomically; false if that fails. An archive with another hash than the pinned one is
 * deleted before it is unpacked, and `progress` reports that.
 */
export async function downloadPinned(
  { url, sha256, member }: PinnedArchive,
  target: string,
  progress: Progress,
  limits = { firstByteSeconds, wholeSeconds },
): Promise<boolean> {
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(dirname(target), 'download-'));
  try {
    const archive = join(folder, 'archive.tar.gz');
    const found = await fetchInto(url, archive, limits).catch(() => null);
    if (found === null) return false;
    if (found !== sha256) {
      progress.line(`What came from ${url} is not what is pinned and is not used: its SHA-256 is ${found}.`);
      return false;
    }
    await promisify(execFile)('tar', ['-xzf', archive, '-C', folder, member]);
    await chmod(join(folder, member), 0o755);
    await rename(join(folder, member), target);
    return true;
  } catch (error) {
    progress.line(`What came from ${url} could not be unpacked: ${(error as Error).message}`);
    return false;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Downloads an address to a file; returns its SHA-256. */
async function fetchInto(
  url: string,
  path: string,
  { firstByteSeconds: first, wholeSeconds: whole }: { firstByteSeconds: number; wholeSeconds: number },
): Promise<string> {
  const abort = new AbortController();
  let watch = setTimeout(() => abort.abort(), first * 1000);
  try {
    const { ok, status, body } = await fetch(url, { signal: abort.signal });
    if (!ok || body === null) throw new Error(`HTTP ${status}`);
    clearTimeout(watch);
    watch = setTimeout(() => abort.abort(), whole * 1000);
    const hash = createHash('sha256');
    await pipeline(
      body,
      async function* hashed(chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          hash.update(chunk);
          yield chunk;
        }
      },
      createWriteStream(path, { mode: 0o600 }),
    );
    return hash.digest('hex');
  } finally {
    clearTimeout(watch);
  }
}
