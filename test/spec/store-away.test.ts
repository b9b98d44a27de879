import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createThreads } from '../../api/threads/client.ts';
import { createApiPool } from '../../api/threads/pool.ts';
import { createObjectStore } from '../../infra/drivers/objects/object-store.ts';
import { newAccount, send, startTestApi, type TestApi } from '../support/api.ts';
import { setEnvironment } from '../support/byte-stores.ts';
import { createBody } from '../support/requests.ts';

const environment = setEnvironment({ AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE', AWS_SECRET_ACCESS_KEY: 'canary' });
let api: TestApi;
let threads: ReturnType<typeof createApiPool>;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(async () => {
  environment.restore();
  await threads?.close();
  await api.close();
});

it('an unreachable store is answered 503 with Retry-After, in threads too, and costs nothing', async () => {
  // Nobody listens on port 1.
  const url = 's3://bucket?region=us-east-1&endpoint=http://127.0.0.1:1';
  const away = { url, keys: [new Uint8Array(randomBytes(32))] };
  threads = createApiPool({ objects: away }, { size: 1, quickThreads: 0 });
  const { key } = await newAccount(api.database);
  const made = await send(api.app, key, 'POST', '/v1/task-models', createBody());
  const usage = async () => (await send(api.app, key, 'GET', '/v1/usage')).body.month.usd;
  const [before, { x, units, channels, sampling_rate_hz }] = [await usage(), createBody()];
  const app = api.second({ threads: createThreads(threads), objects: createObjectStore(away) });
  for (const [path, body] of [
    ['', createBody()],
    ['', createBody({ defer_fit: true })],
    [`/${made.body.id}/predictions`, { x, units, channels, sampling_rate_hz }],
  ] as const) {
    const refused = await send(app, key, 'POST', `/v1/task-models${path}`, body);
    expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([503, 'POOL_UNAVAILABLE', '5']);
    expect(refused.body.message).toContain(
      'The store of trials and models is briefly unavailable; nothing was charged.',
    );
  }
  expect(await usage()).toBe(before);
  expect(api.logged.join('\n')).toContain('The bucket bucket cannot be reached');
  expect(api.logged.join('\n')).not.toMatch(/canary|AKIAEXAMPLE/);
});
