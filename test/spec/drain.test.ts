import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newAccount, startTestApi, type TestApi } from '../support/api.ts';
import { createBody } from '../support/requests.ts';

let api: TestApi;
let key: string;
beforeAll(async () => {
  api = await startTestApi();
  ({ key } = await newAccount(api.database));
});
afterAll(() => api.close());

/** An upload whose body is `rest` when its first half has been sent. */
const open = (url: string, body: string): { sent: ClientRequest; rest: string; reply: Promise<IncomingMessage> } => {
  const sent = request(`${url}/v1/task-models`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-length': body.length },
  });
  const half = Math.floor(body.length / 2);
  sent.write(body.slice(0, half));
  return { sent, rest: body.slice(half), reply: once(sent, 'response').then(([reply]) => reply as IncomingMessage) };
};

it('answers every running request when it is closed, and then ends at once', async () => {
  const { promise: begun, resolve: begins } = Promise.withResolvers<void>();
  const { promise: goOn, resolve: goesOn } = Promise.withResolvers<void>();
  const { jobs } = api.deps;
  const runFit: typeof jobs.runFit = async (job) => {
    begins();
    await goOn;
    return jobs.runFit(job);
  };
  const app = api.second({ jobs: { ...jobs, runFit } });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const fitted = open(url, JSON.stringify(createBody()));
  fitted.sent.end(fitted.rest);
  const slow = open(url, JSON.stringify(createBody({ dry_run: true })));
  await Promise.all([begun, sleep(300)]);
  let closed = false;
  const closing = app.close().then(() => (closed = true));
  await sleep(1_000);
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  expect(closed).toBe(false);
  slow.sent.end(slow.rest);
  goesOn();
  for (const [{ reply }, status] of [
    [fitted, 201],
    [slow, 200],
  ] as const) {
    const { statusCode, headers } = await reply.then((each) => each.resume());
    expect([statusCode, headers.connection]).toEqual([status, 'close']);
  }
  const answered = performance.now();
  await closing;
  expect(performance.now() - answered).toBeLessThan(10_000);
});
