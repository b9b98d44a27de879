import { readdirSync, readFileSync } from 'node:fs';

const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

const processes = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

/** Processor time of a thread that still lives, in milliseconds. */
const ranMs = (path: string): number => Number(textOf(path).split(' ', 1)[0]) / 1e6;

/** Processor time of one process so far, in milliseconds, of its main thread and of all its others. Linux alone. */
export function processorOf(pid: number): { readonly main: number; readonly others: number } {
  const all = (): number =>
    readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + ranMs(`/proc/${pid}/task/${thread}/schedstat`), 0);
  const main = ranMs(`/proc/${pid}/task/${pid}/schedstat`);
  return { main, others: Math.max(0, all() - main) };
}

/** Linux counts the time of ended children in hundredths of a second. */
const tickMs = 10;

/** What /proc says of a process after its name: state, parent, … */
const fieldsOf = (pid: number): string[] => textOf(`/proc/${pid}/stat`).split(') ').at(-1)!.split(' ');
const parentOf = (pid: number): number => Number(fieldsOf(pid)[1]);

/** The server process of the Postgres whose files are in `folder`. */
export function postmasterOf(folder: string): number {
  const own = processes().filter((pid) => textOf(`/proc/${pid}/cmdline`).includes(`${folder}/`));
  const server = own.find((pid) => processes().some((other) => parentOf(other) === pid && isBackend(other)));
  if (server === undefined) throw new Error(`No Postgres runs in ${folder}.`);
  return server;
}

const isBackend = (pid: number): boolean => textOf(`/proc/${pid}/cmdline`).startsWith('postgres: ');

/** Processor time of a Postgres server and its backends, those that have ended too, in milliseconds. */
export function postgresProcessor(postmaster: number): number {
  const backends = processes().filter((pid) => parentOf(pid) === postmaster);
  const [user, system] = fieldsOf(postmaster).slice(13, 15).map(Number);
  const ended = (user + system) * tickMs;
  return [postmaster, ...backends].reduce((sum, pid) => sum + (ranMs(`/proc/${pid}/schedstat`) || 0), ended);
}

/** Resident memory of a process in MiB. */
export function residentMebibytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(textOf(`/proc/${pid}/status`))?.[1]) / 1024;
}
