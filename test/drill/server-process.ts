import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** A server of the cluster that keeps its address from start to start. */
export interface ServerProcess {
  readonly name: string;
  start(): Promise<void>;
  /** SIGKILL; it stays down until `start`. */
  kill(): Promise<void>;
}

const startSeconds = 90;

/** A server whose output goes to `log`. `start` waits until `isReady`, and throws with the end of the log if it ends. */
export function serverProcess(
  name: string,
  log: string,
  command: readonly string[],
  options: Pick<SpawnOptions, 'uid' | 'gid' | 'env' | 'cwd'>,
  isReady: () => Promise<boolean>,
): ServerProcess {
  let child: ChildProcess | null = null;
  const alive = (): boolean => child !== null && child.exitCode === null && child.signalCode === null;
  process.once('exit', () => child?.kill('SIGKILL'));
  return {
    name,
    async start() {
      const output = await open(log, 'a', 0o600);
      child = spawn(command[0]!, command.slice(1), { ...options, stdio: ['ignore', output.fd, output.fd] });
      child.once('error', () => undefined);
      await output.close();
      for (const until = performance.now() + startSeconds * 1000; !(await isReady()); await sleep(100)) {
        if (alive() && performance.now() < until) continue;
        const said = (await readFile(log, 'utf8'))
          .split('\n')
          .slice(-15)
          .map((line) => line.slice(0, 300))
          .join('\n');
        throw new Error(`${name} did not start. The end of its log:\n${said}`);
      }
    },
    async kill() {
      if (!alive()) return;
      const ended = once(child!, 'exit');
      child!.kill('SIGKILL');
      await ended;
    },
  };
}
