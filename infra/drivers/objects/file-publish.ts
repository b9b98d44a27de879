import type { BigIntStats } from 'node:fs';
import { link, rename, stat, unlink } from 'node:fs/promises';
import { ObjectConflict, type Expected } from './bytes.ts';
import { hasNoLinks, isTaken, orMissing } from './file-faults.ts';

/** Tells what a file was from what has taken its place. */
export const versionOf = ({ ino, mtimeNs, size }: BigIntStats): string => `${ino}-${mtimeNs}-${size}`;

/**
 * Gives a draft the name of its object. That nothing has the name is asked in the same instant (where the file system
 * has links); that a version has it, just before.
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
