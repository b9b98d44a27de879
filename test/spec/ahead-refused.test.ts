import { once } from 'node:events';
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { resume, setLimits, suspend } from '../../infra/records/accounts/accounts.ts';
import { BodyCutOff, collect } from '../../api/http/collect.ts';
import { smallBytes, type ApiThreads } from '../../api/threads/client.ts';
import { signal, startKeyedApi, type KeyedApi } from '../support/keyed-api.ts';
import { headOf, opened } from '../support/raw-uploads.ts';
import { nested } from '../support/requests.ts';

type Query = (...args: unknown[]) => Promise<unknown>;

/** How many tasks the threads had when each that was begun before its admission came. */
const loads: number[] = [];
let isAway = false;
let keyed: KeyedApi;
let app: FastifyInstance;
let port: number;
beforeAll(async () => {
  keyed = await startKeyedApi();
  const { threads, pool } = keyed.api.deps;
  const noting: ApiThreads = {
    ...threads,
    get load() {
      return threads.load;
    },
    label(share, task) {
      if (task.returnsBody) loads.push(threads.load);
      return threads.label(share, task);
    },
  };
  const leaving = Object.assign(Object.create(pool) as typeof pool, {
    query: async (...args: unknown[]) => {
      if (!isAway) return await (pool.query.bind(pool) as Query)(...args);
      await sleep(200);
      throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' });
    },
  });
  app = keyed.api.second({ threads: noting, pool: leaving });
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterAll(() => keyed.api.close());
beforeEach(async () => {
  await predict();
  loads.length = 0;
});

const few = { ...signal, x: nested(3), shape: undefined };
const predict = () => keyed.post(keyed.predictUrl, few, undefined, app);

it('begins only as many simultaneous requests as there are free threads, whichever are then refused', async () => {
  const { accountId } = keyed.account;
  await setLimits(keyed.api.database.pool, accountId, { concurrency: 2 });
  const replies = await Promise.all(Array.from({ length: 30 }, predict));
  await setLimits(keyed.api.database.pool, accountId, { concurrency: 10_000 });
  expect(replies.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
  expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  expect(loads.filter((load) => load > 0)).toEqual([]);
});

it('begins nothing again while the database is unreachable', async () => {
  isAway = true;
  const replies = [await predict(), await predict(), await predict()];
  isAway = false;
  expect(replies.map(({ status }) => status)).toEqual([503, 503, 503]);
  expect(loads).toEqual([0]);
  expect((await predict()).status).toBe(200);
});

/** What comes on a connection until a text does. */
async function until(socket: Socket, text: string): Promise<string> {
  let all = '';
  for await (const chunk of socket.iterator({ destroyOnReturn: false }))
    if ((all += String(chunk)).includes(text)) return all;
  throw new Error(`The connection ended: ${all}`);
}

it('takes the next request of a connection after a refusal before the body arrived', async () => {
  const { key, accountId } = keyed.account;
  const body = Buffer.from(JSON.stringify(few));
  await suspend(keyed.api.database.pool, accountId, new Date());
  const socket = await opened(port, `${headOf(keyed.predictUrl, key, smallBytes)} `);
  await until(socket, 'TENANT_SUSPENDED');
  await resume(keyed.api.database.pool, accountId);
  socket.write(' '.repeat(smallBytes - 1));
  socket.write(Buffer.concat([Buffer.from(headOf(keyed.predictUrl, key, body.length)), body]));
  await until(socket, 'HTTP/1.1 200 OK');
  socket.destroy();
  expect(loads).toEqual([]);
});

it('frees a body that is no longer needed', async () => {
  const stream = new PassThrough();
  const unwanted = new AbortController();
  const rooms: number[] = [];
  const pace = { bytesPerSecond: 1, patienceSeconds: 60 };
  const room = (bytes: number) => void rooms.push(bytes);
  const body = collect(stream, { expected: null, limit: smallBytes, pace, room, unwanted: unwanted.signal });
  stream.write('a');
  await expect.poll(() => rooms.length).toBe(1);
  unwanted.abort();
  await expect(body).rejects.toThrow('Nobody wants the body');
  stream.end(Buffer.alloc(smallBytes));
  await once(stream, 'end');
  expect(rooms).toHaveLength(1);
});

it('does not wait for a body whose connection ended before it was read', async () => {
  const stream = new PassThrough().destroy();
  await once(stream, 'close');
  const pace = { bytesPerSecond: 1, patienceSeconds: 600 };
  const body = collect(stream, { expected: 10, limit: smallBytes, pace, room: () => undefined });
  await expect(body).rejects.toBeInstanceOf(BodyCutOff);
});
