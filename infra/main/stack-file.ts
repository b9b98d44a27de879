import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../drivers/config.ts';
import { tryLock, type Lock } from '../embedded/lock.ts';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * File in which a running stack publishes its addresses for other processes of the same DATA_DIR. Only its owner can
 * read it: it contains the database URL with its password.
 */
export interface StackFile {
  readonly pid: number;
  readonly what: string;
  readonly databaseUrl: string;
  readonly temporalAddress: string | null;
  readonly apiUrl: string | null;
}

const fileOf = (dataDir: string): string => join(dataDir, 'stack.json');
const startSeconds = 60;

export class DataDirInUse extends Error {
  constructor(dataDir: string, stack: StackFile | null) {
    const who = stack
      ? `process ${stack.pid} (${stack.what}${stack.apiUrl ? `, serving ${stack.apiUrl}` : ''})`
      : 'another process that is starting';
    super(
      `${dataDir} is in use by ${who}. Stop it first (Ctrl-C where it ` +
        `runs${stack ? `, or: kill ${stack.pid}` : ''}), or set DATA_DIR to another folder.`,
    );
    this.name = 'DataDirInUse';
  }
}

/**
 * Locks DATA_DIR for this process; the lock ends with the process in any case. Waits for a command to finish; throws
 * DataDirInUse.
 */
export async function claimDataDir(config: Config): Promise<Lock> {
  const found = await findStackOrClaim(config);
  if ('stack' in found) throw new DataDirInUse(config.dataDir, found.stack);
  return found.lock;
}

export async function writeStackFile(config: Config, stack: StackFile): Promise<void> {
  const draft = `${fileOf(config.dataDir)}.${process.pid}`;
  await writeFile(draft, JSON.stringify(stack, null, 2), { mode: 0o600 });
  await rename(draft, fileOf(config.dataDir));
}

export async function removeStackFile(config: Config): Promise<void> {
  await rm(fileOf(config.dataDir), { force: true });
}

async function readStackFile(dataDir: string): Promise<StackFile | null> {
  const text = await readFile(fileOf(dataDir), 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as StackFile);
}

/** The stack that runs on DATA_DIR, after waiting for its start; or a lock on the folder if none runs. */
export async function findStackOrClaim(config: Config): Promise<{ stack: StackFile } | { lock: Lock }> {
  for (const until = performance.now() + startSeconds * 1000; ; await sleep(100)) {
    const lock = await tryLock(join(config.dataDir, 'stack.lock'));
    if (lock) {
      await rm(fileOf(config.dataDir), { force: true });
      return { lock };
    }
    const stack = await readStackFile(config.dataDir);
    if (stack) return { stack };
    if (performance.now() > until) throw new DataDirInUse(config.dataDir, null);
  }
}
