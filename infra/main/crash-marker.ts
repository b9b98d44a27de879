import { createHash, randomUUID } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../drivers/config.ts';
import { readMarks } from '../drivers/crash-marks.ts';
import type { Sql } from '../drivers/postgres/transaction.ts';
import { processName } from '../drivers/process-name.ts';
import { tryLock } from '../embedded/lock.ts';
import type { Log } from '../observe/log.ts';
import { deaths } from '../observe/metrics.ts';
import { recordPredictionDeath } from '../records/deaths/prediction-deaths.ts';

const files = { lock: 'lock', marks: 'models', process: 'process', boot: 'boot', stopping: 'stopping' } as const;

export interface CrashMarker {
  /** File of the marks. */
  readonly file: string;
  /** Records that the process is stopping on request: its end then counts against no model. */
  stopping(): void;
  stop(): Promise<void>;
}

type Where = Pick<Config, 'cacheDir' | 'dataDir' | 'databaseUrl'>;

/** Id of the current boot of the machine; empty if the system does not provide one. */
const bootOfMachine = (): Promise<string> => readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');

/** Folder of the mark files of all processes of one service on this machine. */
function folderOf({ cacheDir, dataDir, databaseUrl }: Where): string {
  const url = databaseUrl === null ? null : new URL(databaseUrl);
  const service = url ? `${url.host}${url.pathname}` : dataDir;
  return join(cacheDir, 'predicting', createHash('sha256').update(service).digest('hex').slice(0, 16));
}

/**
 * Opens the file in which this API process marks the models it is labelling with. Also reads the files of processes
 * that have ended: their models are recorded as involved in a crash, and blocked if they caused it. Null: the folder
 * cannot be written.
 */
export async function openCrashMarker(
  config: Where,
  sql: Pick<Sql, 'query'>,
  log: Pick<Log, 'warn' | 'error'>,
): Promise<CrashMarker | null> {
  const all = folderOf(config);
  try {
    await mkdir(all, { recursive: true, mode: 0o700 });
    const boot = await bootOfMachine();
    for (const name of await readdir(all)) {
      if (name.startsWith('.')) continue;
      await readLeft(join(all, name), boot, sql, log).catch((error: unknown) =>
        log.warn('The end of an earlier process was not read; the next start tries again.', { error }),
      );
    }
    // Take the lock before the folder gets its final name, so that no other process mistakes it for a leftover.
    const draft = join(all, `.${randomUUID()}`);
    const folder = join(all, randomUUID());
    await mkdir(draft, { mode: 0o700 });
    const lock = await tryLock(join(draft, files.lock));
    await writeFile(join(draft, files.process), processName);
    await writeFile(join(draft, files.boot), boot);
    await writeFile(join(draft, files.marks), '');
    await rename(draft, folder);
    return {
      file: join(folder, files.marks),
      stopping() {
        if (existsSync(folder)) writeFileSync(join(folder, files.stopping), '');
      },
      async stop() {
        await rm(folder, { recursive: true, force: true });
        lock?.release();
      },
    };
  } catch (error) {
    log.warn('Deaths of this process will name no model: their file cannot be written.', { error });
    return null;
  }
}

/**
 * Reads and removes the folder of a process that has ended; a running process has the folder locked. After a restart of
 * the machine no model is blamed, and marks that were not flushed may be out of date.
 */
async function readLeft(folder: string, boot: string, sql: Pick<Sql, 'query'>, log: Pick<Log, 'error'>): Promise<void> {
  if (!existsSync(join(folder, files.lock))) return;
  const lock = await tryLock(join(folder, files.lock));
  if (!lock) return;
  try {
    const marks = join(folder, files.marks);
    const sameBoot = (await readFile(join(folder, files.boot), 'utf8').catch(() => boot)) === boot;
    const isFault = sameBoot && existsSync(marks) && !existsSync(join(folder, files.stopping));
    const models = isFault ? readMarks(marks) : [];
    if (models.length > 0) {
      const process = await readFile(join(folder, files.process), 'utf8');
      for (const model of await recordPredictionDeath(sql, { process, models })) {
        deaths.blocked.inc();
        log.error('Predictions of a model are blocked: an API process ended while it labelled with it.', { model });
      }
    }
    await rm(folder, { recursive: true, force: true });
  } finally {
    lock.release();
  }
}
