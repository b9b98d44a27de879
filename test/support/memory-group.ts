import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A control group that bounds the memory of the processes in it. */
export interface MemoryGroup {
  /** A process joins by writing its id here. */
  readonly members: string;
  /** Bytes of the processes themselves, without cached files. */
  resident(): number;
  /** CPU time that the processes in it have used, in seconds. */
  cpuSeconds(): number;
  /** Processes that the kernel ended for want of memory. */
  killed(): number;
  remove(): void;
}

interface Form {
  readonly root: string;
  readonly limit: string;
  readonly events: string;
  readonly resident: string;
}

/** Version 2 and version 1 of control groups. */
const forms: readonly Form[] = [
  { root: '/sys/fs/cgroup', limit: 'memory.max', events: 'memory.events', resident: 'anon' },
  {
    root: '/sys/fs/cgroup/memory',
    limit: 'memory.limit_in_bytes',
    events: 'memory.oom_control',
    resident: 'total_rss',
  },
];

const valueOf = (path: string, name: string): number =>
  Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(readFileSync(path, 'utf8'))?.[1] ?? 0);

/** Linux counts CPU time in hundredths of a second. */
const ticksPerSecond = 100;

/** CPU seconds of a process; 0 if it has ended. */
function cpuSecondsOf(pid: string): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    const [user, system] = fields.slice(11, 13).map(Number) as [number, number];
    return (user + system) / ticksPerSecond;
  } catch {
    return 0;
  }
}

/** A new group of so many bytes; a sentence where none can be made here. */
export function createMemoryGroup(bytes: number): MemoryGroup | string {
  for (const { root, limit, events, resident } of forms) {
    const folder = join(root, `eeg-test-${randomBytes(4).toString('hex')}`);
    try {
      mkdirSync(folder);
      if (!existsSync(join(folder, limit))) {
        rmdirSync(folder);
        continue;
      }
      writeFileSync(join(folder, limit), String(bytes));
    } catch {
      continue;
    }
    const members = join(folder, 'cgroup.procs');
    return {
      members,
      cpuSeconds: () =>
        readFileSync(members, 'utf8')
          .trim()
          .split('\n')
          .reduce((sum, pid) => sum + cpuSecondsOf(pid), 0),
      resident: () => valueOf(join(folder, 'memory.stat'), resident),
      killed: () => valueOf(join(folder, events), 'oom_kill'),
      remove: () => rmdirSync(folder),
    };
  }
  return 'This machine gives no control groups with a memory limit to its user.';
}
