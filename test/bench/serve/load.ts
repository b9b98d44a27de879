import { fork } from 'node:child_process';
import type { Done, Job } from './messages.ts';

export interface LoadProcess {
  /** One cell's load; throws where an answer was no success. */
  run(job: Job): Promise<Done>;
  stop(): Promise<void>;
}

/** Starts the process that makes the load. */
export function startLoadProcess(): LoadProcess {
  const child = fork(new URL('./load-process.ts', import.meta.url), { serialization: 'advanced' });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    async run(job) {
      const done = await new Promise<Done | { error: string }>((resolve, reject) => {
        child.once('message', (message) => resolve(message as never));
        void ended.then(() => reject(new Error('The process that makes the load has ended.')));
        child.send(job);
      });
      if ('error' in done) throw new Error(done.error);
      if (done.failures > 0)
        throw new Error(`${done.failures} of ${done.times.length} requests failed; the first: ${done.failure}`);
      return done;
    },
    async stop() {
      child.disconnect();
      await ended;
    },
  };
}
