import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runs } from '../support/counts.ts';
import { startService, type Service } from '../support/hostile-service.ts';
import { percentile, upload } from '../support/large-bodies.ts';
import { keepPredicting, predictOnce, startLoadProcess } from '../support/quiet-caller.ts';
import { createBody } from '../support/requests.ts';

const seconds = runs(12, 120);
const bytes = runs(15_000_000, 60_000_000);
const gibibyte = 2 ** 30;
const allowed = /^(422 INVALID_REQUEST|413 PAYLOAD_TOO_LARGE|429 CONCURRENCY_LIMITED|503 POOL_SATURATED)$/;

let service: Service;
beforeAll(async () => {
  service = await startService();
  for (let warm = 0; warm < 20; warm++) await predictOnce(service, service.quiet);
});
afterAll(() => service.stop());

it('predictions of one account are answered in time whatever two others send, and the service recovers seconds after they stop', async () => {
  const { quiet, hostile } = service;
  const load = await startLoadProcess(service, bytes);
  let done = false;
  await service.slowness();
  const predicting = keepPredicting(service, quiet, () => done);
  await sleep(seconds * 1_000);
  done = true;
  const times = await predicting;
  const answers = await load.stop();

  const stopped = performance.now();
  const estimate = Buffer.from(JSON.stringify(createBody({ dry_run: true })));
  const estimates = await Promise.all(
    [quiet, ...hostile].map(({ key }) => upload(`${service.address}/v1/task-models`, key, estimate)),
  );
  const recovered = performance.now() - stopped;
  // On a machine that is busy with other things, waits are longer in proportion.
  const slowness = Math.max(1, await service.slowness());
  const { most } = await service.memory();
  process.stderr.write(
    `hostile load: ${times.length} predictions, half within ${percentile(times, 50).toFixed(0)} ms, all within ` +
      `${Math.max(...times).toFixed(0)} ms; recovered in ${recovered.toFixed(0)} ms; ${(most / gibibyte).toFixed(2)} GiB; ` +
      `machine ${slowness.toFixed(1)} times as slow as when free; ${JSON.stringify(Object.fromEntries(answers))}\n`,
  );
  expect(estimates.filter(({ status }) => status !== 200)).toEqual([]);
  expect([...answers.keys()].filter((answer) => !allowed.test(answer))).toEqual([]);
  expect(answers.get('422 INVALID_REQUEST')).toBeGreaterThan(0);
  expect(Math.max(...times)).toBeLessThan(2_000 * slowness);
  expect(recovered).toBeLessThan(5_000 * slowness);
  expect(most).toBeLessThan(2.5 * gibibyte);
  expect(service.alive(), service.output()).toBe(true);
});
