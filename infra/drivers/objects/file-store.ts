import { randomBytes } from 'node:crypto';
import { mkdir, readFile, readdir, rename, rmdir, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Bytes by name in a folder: one file an object, written whole or not at all. */
export interface ByteStore {
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** null where there is none. */
  get(name: string): Promise<Uint8Array | null>;
  delete(name: string): Promise<void>;
  list(prefix: string): Promise<{ name: string; modifiedAt: Date }[]>;
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
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        try {
          await writeFile(draft, bytes, { mode: 0o600, flush: true });
          return await rename(draft, path);
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
      for (let parent = dirname(pathOf(name)); parent.length > folder.length; parent = dirname(parent)) {
        if (
          !(await rmdir(parent).then(
            () => true,
            () => false,
          ))
        )
          break;
      }
    },
    async list(prefix) {
      const start = prefix.slice(0, prefix.lastIndexOf('/') + 1);
      const found: { name: string; modifiedAt: Date }[] = [];
      await walk(join(folder, ...start.split('/')), start, prefix, found);
      return found.sort((a, b) => (a.name < b.name ? -1 : 1));
    },
  };
}

async function walk(
  folder: string,
  base: string,
  prefix: string,
  found: { name: string; modifiedAt: Date }[],
): Promise<void> {
  for (const entry of await orMissing(readdir(folder, { withFileTypes: true }), [])) {
    const name = base + entry.name;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (`${name}/`.startsWith(prefix) || prefix.startsWith(`${name}/`)) await walk(path, `${name}/`, prefix, found);
    } else if (name.startsWith(prefix) && !entry.name.startsWith(draftMark)) {
      const status = await orMissing(stat(path), null);
      if (status) found.push({ name, modifiedAt: status.mtime });
    }
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
