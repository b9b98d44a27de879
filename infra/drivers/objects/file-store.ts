import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rmdir, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ByteStore, Found } from './bytes.ts';
import { fileFault, isMissing, orMissing } from './file-faults.ts';
import { publish, versionOf } from './file-publish.ts';

/** Folder of drafts: no object's name begins with a dot. */
const draftFolder = '.drafts';
const pageSize = 1_000;

/**
 * Stores each object as one file below `folder`, which the first write creates. Only the owner can read the files.
 * Errors of the disk become StoreUnavailable.
 */
export function createFileStore(folder: string): ByteStore {
  const pathOf = (name: string): string => join(folder, ...name.split('/'));
  const withStoreErrors = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw fileFault(error);
    }
  };
  const remove = async (name: string): Promise<void> => {
    await orMissing(unlink(pathOf(name)), undefined);
    await removeEmpty(folder, dirname(pathOf(name)));
  };
  return {
    put: (name, bytes, expected) =>
      withStoreErrors(async () => {
        const path = pathOf(name);
        const draft = join(folder, draftFolder, randomBytes(8).toString('hex'));
        for (let attempt = 1; ; attempt++) {
          await mkdir(dirname(draft), { recursive: true, mode: 0o700 });
          const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
          try {
            await writeFile(draft, bytes, { mode: 0o600, flush: true });
            await publish(name, draft, path, expected);
            for (const each of foldersUpTo(made ? dirname(made) : dirname(path), dirname(path))) await syncFolder(each);
            return;
          } catch (error) {
            await unlink(draft).catch(() => undefined);
            // A concurrent delete may have removed the emptied folder between the two steps.
            if (!isMissing(error) || attempt === 5) throw error;
          }
        }
      }),
    get: (name) =>
      withStoreErrors(async () => {
        const file = await orMissing(open(pathOf(name)), null);
        if (!file) return null;
        try {
          return { version: versionOf(await file.stat({ bigint: true })), bytes: await file.readFile() };
        } finally {
          await file.close();
        }
      }),
    delete: (names) =>
      withStoreErrors(async () => {
        for (const name of names) await remove(name);
      }),
    async *pages(prefix, after) {
      const base = prefix.slice(0, prefix.lastIndexOf('/') + 1);
      const found = walk(join(folder, ...base.split('/')), { base, prefix, after });
      for (;;) {
        const page = await withStoreErrors(() => take(found, pageSize));
        if (page.length > 0) yield page;
        if (page.length < pageSize) return;
      }
    },
    removeDrafts: (before) =>
      withStoreErrors(async () => {
        const base = `${draftFolder}/`;
        let removed = 0;
        for await (const { name, modifiedAt } of walk(join(folder, base), { base, prefix: base })) {
          if (modifiedAt >= before) continue;
          await remove(name);
          removed++;
        }
        return removed;
      }),
  };
}

interface Walk {
  /** Prefix of the names in the folder. */
  readonly base: string;
  readonly prefix: string;
  readonly after?: string;
}

/**
 * Files below `folder` in order of their names, like S3: a slash sorts like any other character. Drafts are listed only
 * if `base` is their folder.
 */
async function* walk(folder: string, { base, prefix, after = '' }: Walk): AsyncGenerator<Found> {
  const entries = (await orMissing(readdir(folder, { withFileTypes: true }), [])).filter(
    ({ name }) => base !== '' || name !== draftFolder,
  );
  const names = entries.map((entry) => base + entry.name + (entry.isDirectory() ? '/' : ''));
  for (const name of names.sort((a, b) => (a < b ? -1 : 1))) {
    const path = join(folder, name.slice(base.length));
    if (name.endsWith('/')) {
      const within = name.startsWith(prefix) || prefix.startsWith(name);
      const behind = name > after || after.startsWith(name);
      if (within && behind) yield* walk(path, { base: name, prefix, after });
    } else if (name.startsWith(prefix) && name > after) {
      const status = await orMissing(stat(path), null);
      if (status) yield { name, modifiedAt: status.mtime };
    }
  }
}

/** The next entries of a walk, at most `count`. */
async function take(found: AsyncGenerator<Found>, count: number): Promise<Found[]> {
  const taken: Found[] = [];
  while (taken.length < count) {
    const next = await found.next();
    if (next.done) break;
    taken.push(next.value);
  }
  return taken;
}

/** The folders from `first` down to `last`. */
function foldersUpTo(first: string, last: string): string[] {
  const folders = [last];
  while (folders.at(-1)!.length > first.length) folders.push(dirname(folders.at(-1)!));
  return folders;
}

/** Flushes a folder's entries to the disk: otherwise a power failure may lose a new name in it. */
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
