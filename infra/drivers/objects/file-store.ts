import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, readdir, rename, rmdir, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Bytes by name in a folder: one file an object, written whole or not at all. */
export interface ByteStore {
  /** Returns when the bytes and their name are on the disk. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** null where there is none. */
  get(name: string): Promise<Uint8Array | null>;
  delete(name: string): Promise<void>;
  list(prefix: string): Promise<{ name: string; modifiedAt: Date }[]>;
  /** Removes what writes that were killed before `before` left behind; returns how many. */
  removeDrafts(before: Date): Promise<number>;
}

const draftMark = '.draft-';

/** `folder` is made on the first write. Files are readable by their owner only. */
export function createFileStore(folder: string): ByteStore {
  const pathOf = (name: string): string => join(folder, ...name.split('/'));
  return {
    async put(name, bytes) {
      const path = pathOf(name);
      const draft = join(dirname(path), `${draftMark}${randomBytes(8).toString('hex')}`);
      for (let attempt = 1; ; attempt++) {
        const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        try {
          await writeFile(draft, bytes, { mode: 0o600, flush: true });
          await rename(draft, path);
          for (const each of foldersUpTo(made ? dirname(made) : dirname(path), dirname(path))) await syncFolder(each);
          return;
        } catch (error) {
          await unlink(draft).catch(() => undefined);
          // A concurrent delete may have removed the emptied folder between the two steps.
          if (!isMissing(error) || attempt === 5) throw error;
        }
      }
    },
    async get(name) {
      return await orMissing(readFile(pathOf(name)), null);
    },
    async delete(name) {
      await orMissing(unlink(pathOf(name)), undefined);
      await removeEmpty(folder, dirname(pathOf(name)));
    },
    async list(prefix) {
      const start = prefix.slice(0, prefix.lastIndexOf('/') + 1);
      return await walk(join(folder, ...start.split('/')), start, prefix, false);
    },
    async removeDrafts(before) {
      const drafts = (await walk(folder, '', '', true)).filter(({ modifiedAt }) => modifiedAt < before);
      for (const { name } of drafts) {
        await orMissing(unlink(pathOf(name)), undefined);
        await removeEmpty(folder, dirname(pathOf(name)));
      }
      return drafts.length;
    },
  };
}

interface Found {
  readonly name: string;
  readonly modifiedAt: Date;
}

/**
 * Files below `folder` (whose names begin with `base`) whose name starts with `prefix`, and which are drafts or not, in
 * order of names.
 */
async function walk(folder: string, base: string, prefix: string, drafts: boolean): Promise<Found[]> {
  const found: Found[] = [];
  for (const entry of await orMissing(readdir(folder, { withFileTypes: true }), [])) {
    const name = base + entry.name;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (`${name}/`.startsWith(prefix) || prefix.startsWith(`${name}/`))
        for (const each of await walk(path, `${name}/`, prefix, drafts)) found.push(each);
    } else if (name.startsWith(prefix) && entry.name.startsWith(draftMark) === drafts) {
      const status = await orMissing(stat(path), null);
      if (status) found.push({ name, modifiedAt: status.mtime });
    }
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** `last` and the folders above it, down from `first`. */
function foldersUpTo(first: string, last: string): string[] {
  const folders = [last];
  while (folders.at(-1)!.length > first.length) folders.push(dirname(folders.at(-1)!));
  return folders;
}

/** Brings a folder's entries to the disk: until then a new name in it may be lost with the power. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await orMissing(open(folder, 'r'), null);
  try {
    await handle?.sync();
  } finally {
    await handle?.close();
  }
}

async function removeEmpty(root: string, folder: string): Promise<void> {
  for (let each = folder; each.length > root.length; each = dirname(each)) {
    const gone = await rmdir(each).then(
      () => true,
      () => false,
    );
    if (!gone) return;
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

async function orMissing<T, M>(work: Promise<T>, missing: M): Promise<T | M> {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return missing;
    throw error;
  }
}
