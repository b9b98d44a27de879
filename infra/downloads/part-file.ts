import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** A file that is being downloaded. What is there when it is closed stays on the disk, to be gone on with. */
export interface PartFile {
  /** Bytes that are there. */
  readonly size: number;
  /** Where they are. */
  readonly path: string;
  append(chunk: Uint8Array): Promise<void>;
  /** Begins again from nothing. */
  clear(): Promise<void>;
  /** Puts it at its place, whole. */
  finish(): Promise<void>;
  /** Does nothing after `finish`. */
  close(): Promise<void>;
}

/** A part that nobody has written to for so long has no writer, whatever its name says. */
const abandonedSeconds = 120;
/** Parts that this thread has closed. */
const left = new Set<string>();

/**
 * Opens the part of the file `target`, with what an earlier process left of it. Two processes never write to one part:
 * its name says whose it is, and taking it over renames it.
 */
export async function openPart(target: string): Promise<PartFile> {
  await mkdir(dirname(target), { recursive: true });
  const path = join(dirname(target), `${basename(target)}.${process.pid}-${randomUUID().slice(0, 8)}.part`);
  await adopt(target, path);
  const file = await open(path, 'a+');
  let { size } = await file.stat();
  let isOpen = true;
  return {
    get size() {
      return size;
    },
    async append(chunk) {
      await file.appendFile(chunk);
      size += chunk.length;
    },
    async clear() {
      await file.truncate(0);
      size = 0;
    },
    path,
    async finish() {
      isOpen = false;
      await file.close();
      await rename(path, target);
    },
    async close() {
      if (!isOpen) return;
      isOpen = false;
      await file.close();
      if (size === 0) await rm(path, { force: true });
      else left.add(path);
    },
  };
}

/** Renames the longest part that nobody writes to, and removes the others. */
async function adopt(target: string, path: string): Promise<void> {
  const folder = dirname(target);
  const found: { path: string; size: number }[] = [];
  for (const name of await readdir(folder)) {
    const owner = name.startsWith(`${basename(target)}.`) ? /\.(\d+)-[0-9a-f]{8}\.part$/.exec(name) : null;
    const part = join(folder, name);
    const about = owner ? await stat(part).catch(() => null) : null;
    if (!owner || !about) continue;
    const idleSeconds = (Date.now() - about.mtimeMs) / 1000;
    const ours = Number(owner[1]) === process.pid;
    const ended = ours ? left.has(part) || idleSeconds > process.uptime() : !isRunning(Number(owner[1]));
    if (ended || idleSeconds > abandonedSeconds) found.push({ path: part, size: about.size });
  }
  found.sort((a, b) => b.size - a.size);
  let adopted = false;
  for (const part of found) {
    if (!adopted)
      adopted = await rename(part.path, path).then(
        () => true,
        () => false,
      );
    else await rm(part.path, { force: true });
    left.delete(part.path);
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
