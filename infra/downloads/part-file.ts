import { randomUUID } from 'node:crypto';
import { constants, copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** A file that is being downloaded. Its bytes stay on the disk after `close`, so that the download can be resumed. */
export interface PartFile {
  /** Number of bytes on the disk. */
  readonly size: number;
  /** Path of the partial file. */
  readonly path: string;
  append(chunk: Uint8Array): Promise<void>;
  /** Deletes the bytes and starts again. */
  clear(): Promise<void>;
  /** Moves the complete file to its target. Throws ENOENT if another process took the file over. */
  finish(): Promise<void>;
  /** Does nothing after `finish`. Never fails: `append` and `finish` have reported every write error. */
  close(): Promise<void>;
}

/** A partial file that no process has written to for this long has no writer, whatever its name says. */
const abandonedSeconds = 120;
/** Partial files that this thread has closed. */
const left = new Set<string>();
/** Name of this machine or container in the names of partial files, without dots. */
const host = hostname().replaceAll(/[^A-Za-z0-9]+/g, '-') || 'here';

/**
 * Opens the partial file for `target`, with the bytes that an earlier process left. Two processes never write to the
 * same file, even on different machines: the name of a partial file contains its owner, and a process that takes it
 * over copies it.
 */
export async function openPart(target: string): Promise<PartFile> {
  await mkdir(dirname(target), { recursive: true });
  const path = join(dirname(target), `${basename(target)}.${host}.${process.pid}-${randomUUID().slice(0, 8)}.part`);
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
      await file.datasync();
      await rename(path, target);
      isOpen = false;
      await file.close();
    },
    async close() {
      if (!isOpen) return;
      isOpen = false;
      await file.close().catch(() => undefined);
      if (size === 0) await rm(path, { force: true }).catch(() => undefined);
      else left.add(path);
    },
  };
}

/** Copies the longest partial file without a writer, and removes all files without a writer. */
async function adopt(target: string, path: string): Promise<void> {
  const found = await partsWithoutWriter(target);
  let adopted = false;
  for (const part of found.toSorted((a, b) => b.size - a.size)) {
    adopted ||= await copyFile(part.path, path, constants.COPYFILE_FICLONE).then(
      () => true,
      () => rm(path, { force: true }).then(() => false),
    );
    await rm(part.path, { force: true }).catch(() => undefined);
    left.delete(part.path);
  }
}

interface LeftPart {
  readonly path: string;
  readonly size: number;
}

/** The process ids of another machine are unknown here: its partial files are taken over only after they were idle. */
async function partsWithoutWriter(target: string): Promise<LeftPart[]> {
  const folder = dirname(target);
  const prefix = `${basename(target)}.`;
  const found: LeftPart[] = [];
  for (const name of await readdir(folder)) {
    const owner = name.startsWith(prefix)
      ? /^(?<from>[A-Za-z0-9-]+)\.(?<pid>\d+)-[0-9a-f]{8}\.part$/.exec(name.slice(prefix.length))?.groups
      : undefined;
    const path = join(folder, name);
    const about = owner ? await stat(path).catch(() => null) : null;
    if (!owner || !about) continue;
    const idleSeconds = (Date.now() - about.mtimeMs) / 1000;
    const pid = Number(owner['pid']);
    const hasEnded = (): boolean =>
      pid === process.pid ? left.has(path) || idleSeconds > process.uptime() : !isRunning(pid);
    if (idleSeconds > abandonedSeconds || (owner['from'] === host && hasEnded()))
      found.push({ path, size: about.size });
  }
  return found;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
