import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Lock {
  release(): void;
}

/**
 * Takes a lock between processes; null: another process has it. The operating system frees the lock when its process
 * ends in any way, so that no stale lock remains (it is SQLite's exclusive lock on an empty file).
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

/** Runs `work` with the lock; `onWait` is called once if another process has it. */
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
