import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Lock {
  release(): void;
}

/**
 * Takes a lock between processes, or returns null when another holds it. The operating system frees it when its holder
 * ends in any way, so nothing stale is ever left behind (it is SQLite's exclusive lock on an empty file).
 */
export async function tryLock(path: string): Promise<Lock | null> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = new DatabaseSync(path, { timeout: 0 });
  try {
    file.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    file.close();
    if ((error as { errcode?: number }).errcode === sqliteBusy) return null;
    throw error;
  }
  return { release: () => file.close() };
}

const sqliteBusy = 5;

/** Runs `work` while holding the lock; `onWait` is told once when another process has it. */
export async function withLock<T>(path: string, onWait: () => void, work: () => Promise<T>): Promise<T> {
  let lock = await tryLock(path);
  if (!lock) onWait();
  while (!lock) {
    await sleep(250);
    lock = await tryLock(path);
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}
