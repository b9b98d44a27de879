import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { cacheDir, objectKey, type World } from '../../workflows/support/world.ts';
import type { WorkerArguments } from './worker-process.ts';

export interface Supervised {
  readonly taskQueue: string;
  /** Waits until a worker stood at the fault point. */
  reached(): Promise<void>;
  /** Lets one that waits there go on. */
  go(): Promise<void>;
  /** Waits until a worker died and another was started in its place. */
  died(): Promise<void>;
  /** Process id of the worker that runs now. */
  pid(): number;
  kill(signal: NodeJS.Signals): void;
  /** Workers that have died so far. */
  deaths(): number;
  stop(): Promise<void>;
}

type More = Partial<Pick<WorkerArguments, 'reference' | 'deaths' | 'gate' | 'taskQueue'>> & {
  /** Runs after a death, before the next worker starts. */
  readonly onDeath?: () => Promise<unknown>;
};

/** A worker process with a task queue of its own, started again whenever it dies. */
export async function superviseWorker(
  world: World,
  fault: WorkerArguments['fault'],
  { onDeath = async () => undefined, ...more }: More = {},
): Promise<Supervised> {
  const marks = await mkdtemp(join(world.folder, 'marks-'));
  const taskQueue = more.taskQueue ?? `chaos-${crypto.randomUUID()}`;
  const settings: WorkerArguments = {
    address: world.env.address,
    namespace: world.env.namespace ?? 'default',
    taskQueue,
    databaseUrl: world.db.url,
    objectsUrl: pathToFileURL(join(world.folder, 'objects')).href,
    objectKey: Buffer.from(objectKey).toString('hex'),
    cacheDir,
    reference: world.reference,
    fault,
    marks,
    ...more,
  };
  let stopping = false;
  let deaths = 0;
  const death = Promise.withResolvers<void>();
  let child: ChildProcess;
  const start = (): void => {
    child = spawn(
      process.execPath,
      [fileURLToPath(new URL('./worker-process.ts', import.meta.url)), JSON.stringify(settings)],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
    child.once('exit', () => {
      if (stopping) return;
      deaths += 1;
      void onDeath().then(() => {
        if (stopping) return;
        start();
        death.resolve();
      });
    });
  };
  start();
  return {
    taskQueue,
    async reached() {
      while (!existsSync(join(marks, 'reached'))) await sleep(100);
    },
    async died() {
      await death.promise;
    },
    pid: () => child.pid!,
    kill: (signal) => void child.kill(signal),
    deaths: () => deaths,
    go: () => writeFile(join(marks, 'go'), ''),
    async stop() {
      stopping = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await exit;
    },
  };
}
