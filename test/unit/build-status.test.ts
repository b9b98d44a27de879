import type { Client } from '@temporalio/client';
import { afterEach, expect, it } from 'vitest';
import { followBuild, whenDrained } from '../../infra/drivers/temporal/build-status.ts';
import { textLog } from '../../infra/observe/log.ts';

interface Version {
  readonly build: string;
  readonly replaced: boolean;
}

const fault = (code: number, details: string): Error => Object.assign(new Error(details), { code, details });

/** A server with one deployment; faults are thrown one after another, before it answers. */
function startServer(
  current: string | null,
  versions: readonly Version[],
  faults: { readonly read?: Error[]; readonly set?: Error[] } = {},
) {
  const server = { current, versions, sets: [] as string[], reads: 0 };
  const fail = (of: Error[] = []): void => {
    const error = of.shift();
    if (error) throw error;
  };
  const workflowService = {
    async describeWorkerDeployment() {
      server.reads += 1;
      fail(faults.read);
      return {
        workerDeploymentInfo: {
          routingConfig: { currentDeploymentVersion: { buildId: server.current ?? '' } },
          versionSummaries: server.versions.map(({ build, replaced }) => ({
            deploymentVersion: { buildId: build },
            lastDeactivationTime: replaced ? { seconds: 1 } : null,
          })),
        },
      };
    },
    async setWorkerDeploymentCurrentVersion({ buildId }: { buildId: string }) {
      fail(faults.set);
      server.sets.push(buildId);
      server.current = buildId || null;
    },
  };
  const options = { namespace: 'default', identity: 'test' };
  const withDeadline = (_until: number, call: () => unknown): unknown => call();
  return Object.assign(server, { client: { options, workflowService, withDeadline } as unknown as Client });
}

let end = new AbortController();
afterEach(() => end.abort());
function placeOf(client: Client, build: string | null, everyMs = 60_000) {
  end = new AbortController();
  const lines: string[] = [];
  const log = textLog((line) => lines.push(line));
  const place = followBuild(client, build, { signal: end.signal, log, pollMs: 1, everyMs });
  return { place, lines };
}

it('a new build becomes the current one', async () => {
  const versions = [
    { build: 'a', replaced: false },
    { build: 'b', replaced: false },
  ];
  const server = startServer('a', versions);
  const { place } = placeOf(server.client, 'b');
  await expect.poll(() => place.waits).toBe(null);
  expect(server.sets).toEqual(['b']);
});

it('the current build makes itself current again when Temporal has lost its record of builds', async () => {
  const server = startServer('a', []);
  const { place, lines } = placeOf(server.client, 'a', 1);
  await expect.poll(() => place.waits).toBe(null);
  server.current = null;
  await expect.poll(() => server.sets).toEqual(['a']);
  await expect
    .poll(() => lines.at(-1))
    .toBe('New workflows go to build a again: Temporal had lost its record of builds.');
});

it('a build that was replaced does not make itself current when Temporal has lost its record of builds', async () => {
  const server = startServer('b', [{ build: 'a', replaced: true }]);
  const { place } = placeOf(server.client, 'a', 1);
  await expect.poll(() => place.waits).toBe(null);
  const { reads } = Object.assign(server, { current: null, versions: [] });
  await expect.poll(() => server.reads > reads + 2).toBe(true);
  expect(server.sets).toEqual([]);
});

it('a replaced build does not become current again, and says how to go back', async () => {
  const server = startServer('b', [
    { build: 'a', replaced: true },
    { build: 'b', replaced: false },
  ]);
  const { place, lines } = placeOf(server.client, 'a');
  await expect.poll(() => place.waits).toBe(null);
  expect(server.sets).toEqual([]);
  expect(lines).toEqual([expect.stringContaining('`npm run -s admin -- deployment current --build a`')]);
});

it('after an error a build logs the message of the server once, and tries again', async () => {
  const away = [fault(14, 'away'), fault(14, 'away still')];
  const missing = Array.from({ length: 200 }, () => fault(9, 'queue task-models-heavy has no pollers'));
  const server = startServer('a', [], { read: away, set: [fault(5, 'unknown build'), ...missing] });
  const { place, lines } = placeOf(server.client, 'b');
  expect(place.waits).toBe('Build b is not the current one yet.');
  await expect.poll(() => place.waits).toContain('queue task-models-heavy has no pollers');
  await expect.poll(() => place.waits, { timeout: 10_000 }).toBe(null);
  expect(server.sets).toEqual(['b']);
  expect(lines).toEqual([
    expect.stringContaining('away'),
    'Build b is not the current one yet: queue task-models-heavy has no pollers',
    'New workflows go to build b.',
  ]);
});

it('while a build is current, a worker without a build waits and says why', async () => {
  const server = startServer('a', [{ build: 'a', replaced: false }], { read: [fault(14, 'away')] });
  const { place, lines } = placeOf(server.client, null);
  await expect
    .poll(() => place.waits)
    .toContain('New workflows go to build a, and this worker has no DEPLOYMENT_BUILD');
  expect(lines.filter((line) => line.includes('deployment current --none'))).toHaveLength(1);
  server.current = null;
  await expect.poll(() => place.waits).toBe(null);
  expect(server.sets).toEqual([]);
});

it('a worker without a build works with a server without deployments, which it queries once', async () => {
  const server = startServer('a', [], { read: [fault(12, 'unimplemented')] });
  const { place } = placeOf(server.client, null);
  await expect.poll(() => place.waits).toBe(null);
  expect(server.reads).toBe(1);
});

it('a worker that ends does not wait long for an unreachable server', async () => {
  const read = Array.from({ length: 1000 }, () => fault(14, 'away'));
  const lines: string[] = [];
  const log = textLog((line) => lines.push(line));
  await whenDrained(startServer('b', [], { read }).client, 'a', { log, pollMs: 1, awayMs: 30 });
  expect(lines).toEqual([expect.stringContaining('Temporal does not say whether fits of build a still run')]);
});
