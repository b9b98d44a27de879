import type { BigIntStats } from 'node:fs';
import { link, rename, stat, unlink } from 'node:fs/promises';
import { ObjectConflict, type Expected } from './bytes.ts';
import { hasNoLinks, isTaken, orMissing } from './file-faults.ts';

/** Identity of a file (inode, time), to detect that it was replaced. */
export const versionOf = ({ ino, mtimeNs, size }: BigIntStats): string => `${ino}-${mtimeNs}-${size}`;

/**
 * Renames a draft to the name of its object. If the file system has links, the check that the name is free is atomic.
 * The check of an expected version happens just before the rename.
 */
export async function publish(name: string, draft: string, path: string, expected?: Expected): Promise<void> {
  if (expected === 'nothing') {
    try {
      await link(draft, path);
      return await unlink(draft);
    } catch (error) {
      if (isTaken(error)) throw new ObjectConflict(name, expected);
      if (!hasNoLinks(error)) throw error;
      if (await orMissing(stat(path), null)) throw new ObjectConflict(name, expected);
    }
  } else if (expected) {
    const found = await orMissing(stat(path, { bigint: true }), null);
    if (!found || versionOf(found) !== expected.version) throw new ObjectConflict(name, expected);
  }
  await rename(draft, path);
}
