import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Ids of other processes that have `argument` among their arguments (a path that only our own programs get). */
export async function findProcesses(argument: string): Promise<number[]> {
  const found = (await readdir('/proc').catch(() => null)) ? await fromProc(argument) : await fromPs(argument);
  return found.filter((pid) => pid !== process.pid);
}

async function fromProc(argument: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const matches = await Promise.all(
    pids.map(async (pid) => {
      const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      return words.split('\0').includes(argument);
    }),
  );
  return pids.filter((_, i) => matches[i]).map(Number);
}

async function fromPs(argument: string): Promise<number[]> {
  const { stdout } = await run('ps', ['-axo', 'pid=,command=']);
  return stdout
    .split('\n')
    .filter((line) => ` ${line} `.includes(` ${argument} `))
    .map((line) => Number.parseInt(line, 10));
}
