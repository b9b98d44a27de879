import { afterAll, beforeAll, expect, it } from 'vitest';
import { newAccount, startTestApi, type TestApi } from '../support/api.ts';
import { largeBody, percentile, pollHealth, upload } from '../support/large-bodies.ts';

let api: TestApi;
let address: string;
beforeAll(async () => {
  api = await startTestApi();
  address = await api.app.listen({ port: 0 });
});
afterAll(() => api.close());

it(
  'eight bodies of 64 MiB at once are answered, and /healthz still answers (timed in test/bench/health.ts)',
  { timeout: 300_000 },
  async () => {
    const { key } = await newAccount(api.database);
    const body = largeBody();
    expect(body.length).toBeLessThanOrEqual(64 * 1024 * 1024);
    expect(body.length).toBeGreaterThan(60 * 1024 * 1024);
    let done = false;
    const health = pollHealth(address, () => done);
    const replies = await Promise.all(Array.from({ length: 8 }, () => upload(`${address}/v1/task-models`, key, body)));
    done = true;
    const times = await health;
    expect(
      replies.map(({ status }) => status),
      replies[0].text.slice(0, 500),
    ).toEqual(Array(8).fill(200));
    expect(JSON.parse(replies[0].text).signal).toMatchObject({ trials: 100, channels: 40, samples_per_trial: 1000 });
    expect(times.length).toBeGreaterThan(20);
    expect(percentile(times, 50)).toBeLessThan(5_000);
  },
);
