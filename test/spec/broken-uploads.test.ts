import { connect } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newAccount, send, startTestApi, type TestApi } from '../support/api.ts';
import { createBody } from '../support/requests.ts';

let api: TestApi;
let port: number;
beforeAll(async () => {
  api = await startTestApi();
  port = Number(new URL(await api.app.listen({ port: 0, host: '127.0.0.1' })).port);
});
afterAll(() => api.close());

const head = (path: string, key: string): string =>
  `POST ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\n` +
  'transfer-encoding: chunked\r\n\r\n4\r\n{"x"\r\n';

it('gives the memory of uploads back that end in the middle', async () => {
  const { key } = await newAccount(api.database);
  for (let round = 0; round < 30; round++) {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(head('/v1/task-models', key));
    await new Promise((resolve) => setTimeout(resolve, 60));
    socket.destroy();
  }
  const reply = await send(api.app, key, 'POST', '/v1/task-models', createBody({ dry_run: true }));
  expect([reply.status, reply.body.code]).toEqual([200, undefined]);
});

it('answers an unknown path before its body has come', async () => {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(head('/v1/nothing', 'nobody'));
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  const text = bytes.toString();
  expect(text).toMatch(/^HTTP\/1\.1 404 /);
  const id = /x-request-id: (req_[0-9a-f]{24})/.exec(text)?.[1];
  expect(id).toBeDefined();
  expect(text).toContain(`"request_id":"${id}"`);
});
