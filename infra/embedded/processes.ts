import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Whether a process with this id exists (also one of another user). */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * A text that distinguishes this process from a later one with the same id: its start time if /proc has it. Null: no
 * such process.
 */
export async function identityOf(pid: number): Promise<string | null> {
  if (!isAlive(pid)) return null;
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (text === null)
    return await run('ps', ['-o', 'lstart=', '-p', String(pid)]).then(
      (done) => done.stdout.trim(),
      () => 'unknown',
    );
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' ? null : fields[19]!;
}

/** Whether `pid` is a Postgres server whose data directory is `data`. */
export async function isServerOf(pid: number, data: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(
    async () =>
      await run('ps', ['-o', 'command=', '-p', String(pid)]).then(
        (done) => done.stdout,
        () => '',
      ),
  );
  if (!command.includes('postgres')) return false;
  const folder = await readlink(`/proc/${pid}/cwd`).catch(() => null);
  return folder === data || command.includes(data);
}

/** Sends each signal in turn, waiting for the process to end, and returns whether it did. */
export async function endProcess(pid: number, steps: readonly (readonly [NodeJS.Signals, number])[]): Promise<boolean> {
  for (const [signal, milliseconds] of steps) {
    try {
      process.kill(pid, signal);
    } catch {
      return true;
    }
    const until = Date.now() + milliseconds;
    while (Date.now() < until) {
      if ((await identityOf(pid)) === null) return true;
      await sleep(20);
    }
  }
  return (await identityOf(pid)) === null;
}
