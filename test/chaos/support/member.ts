import { setTimeout as sleep } from 'node:timers/promises';
import { runMain, type Program } from '../../support/stack.ts';

/** One process of the fleet, the same from start to start: its place, its address, its environment. */
export interface Member {
  readonly name: string;
  /** It takes work now, as far as it says itself. */
  readonly ready: boolean;
  /** How often it was ended. */
  readonly ends: number;
  start(): Promise<void>;
  /** Ends it by the signal, by SIGKILL where that takes more than the grace, and starts it again until it is ready. */
  restart(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  stop(signal?: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** All that its processes have written. */
  output(): string;
}

/** Seconds from SIGTERM to SIGKILL, as an orchestrator gives them. */
const graceSeconds = 60;
const startSeconds = 120;
/** As an orchestrator does, a process that ends while it starts is started again. */
const mostStarts = 20;

/** A process of `infra/main`; `ready` is asked until it says so. */
export function createMember(
  name: string,
  main: 'api' | 'worker',
  environment: Readonly<Record<string, string | undefined>>,
  isReady: () => Promise<boolean>,
  folder?: string,
): Member {
  let program: Program | null = null;
  let ready = false;
  let ends = 0;
  const written: string[] = [];
  // It must not outlive a run that was interrupted.
  process.once('exit', () => program?.child.kill('SIGKILL'));

  /** False: it ended by itself before it was ready, for example because its connection to Postgres was cut. */
  const startOnce = async (): Promise<boolean> => {
    const started = runMain(main, [], environment, folder);
    program = started;
    for (const until = performance.now() + startSeconds * 1000; !(await isReady()); await sleep(100)) {
      if (performance.now() > until)
        throw new Error(`${name} is not ready after ${startSeconds} s. It said:\n${started.output()}`);
      if (started.child.exitCode === null && started.child.signalCode === null) continue;
      written.push(`--- ${name}, which did not start\n${started.output()}`);
      return false;
    }
    return true;
  };
  const start = async (): Promise<void> => {
    for (let tried = 1; !(await startOnce()); tried += 1) {
      if (tried === mostStarts) throw new Error(`${name} did not start ${tried} times. It said:\n${written.at(-1)}`);
      await sleep(1_000);
    }
    ready = true;
  };
  const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    if (!program) return;
    ready = false;
    ends += 1;
    const { child, exit, output } = program;
    child.kill(signal);
    const late = new AbortController();
    const overdue = sleep(graceSeconds * 1000, 'overdue', { signal: late.signal }).catch(() => null);
    if ((await Promise.race([exit, overdue])) === 'overdue') {
      written.push(`${name} took more than ${graceSeconds} s to end.`);
      child.kill('SIGKILL');
    }
    late.abort();
    await exit;
    written.push(`--- ${name}, ended by ${signal}\n${output()}`);
  };
  return {
    name,
    get ready() {
      return ready;
    },
    get ends() {
      return ends;
    },
    start,
    async restart(signal) {
      await end(signal);
      await start();
    },
    stop: (signal = 'SIGKILL') => end(signal),
    output: () => [...written, `--- ${name}\n${program?.output() ?? ''}`].join('\n'),
  };
}
