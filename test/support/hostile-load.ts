import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from './hostile-service.ts';
import { hostileBodies } from './hostile-bodies.ts';
import { upload } from './large-bodies.ts';
import { headOf, opened } from './raw-uploads.ts';
import { createBody } from './requests.ts';

const create = '/v1/task-models';
const { description: _description, labels: _labels, ...signal } = createBody();

/** 4,096 trials of a model whose two classes have names of 200 characters: an answer of megabytes. */
const manyTrials = Buffer.from(
  JSON.stringify({ ...signal, x: Buffer.alloc(4_096 * 3 * 80 * 4).toString('base64'), shape: [4_096, 3, 80] }),
);

/** Repeats with a pause, so that the load does not take the processor from the service under test. */
const again = async (until: AbortSignal, work: () => Promise<unknown>): Promise<void> => {
  while (!until.aborted) {
    await work().catch(() => undefined);
    await sleep(100);
  }
};

/** Opens a connection, does no more than send these bytes and some drops, and leaves it. */
async function abandon(service: Target, bytes: string | Uint8Array, until: AbortSignal, drops: number, drop: string) {
  const socket = await opened(service.port, bytes);
  socket.pause();
  for (let at = 0; at < drops && !until.aborted && socket.writable; at++) {
    socket.write(drop);
    await sleep(200);
  }
  socket.destroy();
}

/** The service that a load attacks. */
export type Target = Pick<Service, 'address' | 'port' | 'hostile'>;

export interface Load {
  /** Answers to the hostile bodies, counted by status and code. */
  readonly answers: ReadonlyMap<string, number>;
  /** Stops the load and waits until it has ended. */
  stop(): Promise<void>;
}

/**
 * Everything at once, by each hostile account: bodies that are costly to read, uploads that end in the middle or hardly
 * move, uploads without a key, answers of megabytes that are read slowly or not at all.
 */
export function startLoad(service: Target, bytes: number): Load {
  const bodies = hostileBodies.map(({ make }) => make(bytes).body);
  const stopping = new AbortController();
  const { signal: until } = stopping;
  const answers = new Map<string, number>();
  const count = (what: string): void => void answers.set(what, (answers.get(what) ?? 0) + 1);
  let next = 0;
  const hostile = async (key: string): Promise<void> => {
    const { status, text } = await upload(service.address + create, key, bodies[next++ % bodies.length]);
    count(`${status} ${/"code":"(\w+)"/.exec(text)?.[1]}`);
  };
  const chunk = `10000\r\n{"x":"${'A'.repeat(60_000)}`;
  const works = service.hostile.flatMap(({ key, predictions }) => [
    ...Array.from({ length: 4 }, () => () => hostile(key)),
    () => abandon(service, headOf(create, key) + chunk, until, 0, ''),
    () => abandon(service, headOf(create, key, 60_000_000) + chunk, until, 1, 'A'),
    ...Array.from({ length: 3 }, () => () => abandon(service, headOf(create, key) + chunk, until, 100, 'A')),
    ...Array.from({ length: 3 }, () => async () => {
      const request = Buffer.concat([Buffer.from(headOf(predictions, key, manyTrials.length)), manyTrials]);
      await abandon(service, request, until, 50, '');
    }),
    () => abandon(service, headOf('/v1/nothing', 'nobody') + chunk, until, 20, 'A'),
    () => abandon(service, headOf(create, 'nobody') + chunk, until, 20, 'A'),
  ]);
  const running = Promise.all(works.map((work) => again(until, work)));
  return {
    answers,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
