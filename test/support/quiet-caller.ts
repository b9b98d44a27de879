import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Target } from './hostile-load.ts';
import type { Party, Service } from './hostile-service.ts';
import { upload } from './large-bodies.ts';
import { createBody } from './requests.ts';

const { description: _description, labels: _labels, ...signal } = createBody();

/** One small prediction over a connection of its own: milliseconds, and the answer's status. */
export async function predictOnce({ address }: Service, { key, predictions }: Party) {
  const started = performance.now();
  const { status, text } = await upload(address + predictions, key, Buffer.from(JSON.stringify(signal)));
  return { ms: performance.now() - started, status, text };
}

/** Predicts again and again, ten times a second, until `done`: milliseconds of each. Throws where one is refused. */
export async function keepPredicting(service: Service, party: Party, done: () => boolean): Promise<number[]> {
  const times: number[] = [];
  while (!done()) {
    const { ms, status, text } = await predictOnce(service, party);
    if (status !== 200) throw new Error(`A prediction was answered ${status}: ${text.slice(0, 500)}`);
    times.push(ms);
    await sleep(Math.max(0, 100 - ms));
  }
  return times;
}

/** A hostile load from a process of its own; `stop` ends it and says how often each answer came. */
export async function startLoadProcess({ address, port, hostile }: Target, bytes: number) {
  const child = fork(new URL('./hostile-load-process.ts', import.meta.url), [
    JSON.stringify([{ address, port, hostile }, bytes]),
  ]);
  await once(child, 'message');
  return {
    async stop(): Promise<ReadonlyMap<string, number>> {
      const answers = once(child, 'message');
      child.send('stop');
      return new Map((await answers)[0] as [string, number][]);
    },
  };
}
