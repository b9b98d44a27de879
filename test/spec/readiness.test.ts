import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startHealthServer } from '../../infra/main/health-server.ts';
import { checkNames, Unready, watchReadiness, type Check, type CheckName } from '../../infra/observe/readiness.ts';
import { send, startTestApi, type TestApi } from '../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({}, { inProcess: true });
});
afterAll(() => api.close());

/** Checks that a test lets fail; `looks` counts. */
function faked() {
  const failing = new Map<CheckName, Error | 'hangs'>();
  const looks = new Map<CheckName, number>();
  let hanging: (() => void)[] = [];
  const checks = Object.fromEntries(
    checkNames.map((name): [CheckName, Check] => [
      name,
      {
        words: `What ${name} is`,
        async look() {
          looks.set(name, (looks.get(name) ?? 0) + 1);
          const fault = failing.get(name);
          if (fault === 'hangs') await new Promise<void>((resolve) => hanging.push(resolve));
          else if (fault) throw fault;
        },
      },
    ]),
  ) as Record<CheckName, Check>;
  const answer = (): void => {
    for (const resolve of hanging) resolve();
    hanging = [];
  };
  return { failing, looks, checks, answer };
}

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await sleep(5);
};

it('is starting, then ready, and unavailable while a check fails, with its reason but not its error', async () => {
  const { checks, failing, answer } = faked();
  const told: string[] = [];
  failing.set('threads', new Unready('The threads are warming up.'));
  const readiness = watchReadiness({
    checks,
    everyMs: 5,
    timeoutMs: 50,
    onChange: (name, { status }) => told.push(`${name} ${status}`),
  });
  const app = api.second({ readiness });
  await until(() => checkNames.slice(0, 3).every((name) => readiness.state.checks[name].status === 'ok'));
  const starting = await send(app, null, 'GET', '/readyz');
  expect([starting.status, starting.body.status]).toEqual([503, 'starting']);
  expect(starting.body.checks.threads).toEqual({ status: 'failing', reason: 'The threads are warming up.' });

  failing.clear();
  await until(() => readiness.answer.status === 200);
  expect((await send(app, null, 'GET', '/readyz')).body).toEqual({
    status: 'ready',
    checks: Object.fromEntries(checkNames.map((name) => [name, { status: 'ok' }])),
  });
  expect(told).toEqual([]);

  const secret = 'postgres://somebody:secret@10.1.2.3/here /srv/path';
  for (const fault of [new Error(secret), 'hangs'] as const) {
    failing.set('database', fault);
    await until(() => readiness.answer.status === 503);
    const away = await send(app, null, 'GET', '/readyz');
    expect([away.status, away.body.status, away.body.checks.database.status]).toEqual([503, 'unavailable', 'failing']);
    expect(away.text).not.toMatch(/postgres:|somebody|secret|10\.1|\/srv/);
    expect(away.body.checks.database.reason).toMatch(
      fault === 'hangs' ? /^What database is gave no answer within/ : /^What database is could not be reached or used/,
    );
    failing.clear();
    answer();
    await until(() => readiness.answer.status === 200);
  }
  expect(told).toEqual(['database failing', 'database ok', 'database failing', 'database ok']);
  readiness.close();
});

it('checks by its own timer: a request causes no check', async () => {
  const { checks, looks } = faked();
  const readiness = watchReadiness({ checks, everyMs: 60_000 });
  const app = api.second({ readiness });
  await until(() => readiness.answer.status === 200);
  for (let i = 0; i < 200; i++) expect((await send(app, null, 'GET', '/readyz')).status).toBe(200);
  expect([...looks.values()]).toEqual([1, 1, 1, 1]);
  readiness.close();
});

it('one failure after successes is not reported: the next check may succeed', async () => {
  const { checks, failing, looks } = faked();
  const readiness = watchReadiness({ checks, everyMs: 5 });
  await until(() => readiness.answer.status === 200);
  const before = looks.get('store')!;
  const look = checks.store.look;
  let faults = 0;
  (checks.store as { look: Check['look'] }).look = () => (faults++ === 0 ? Promise.reject(new Error('once')) : look());
  await until(() => looks.get('store')! > before + 2);
  expect([faults > 1, readiness.answer.status, failing.size]).toEqual([true, 200, 0]);
  readiness.close();
});

it('a check that exceeds its timeout fails, and no second one runs beside it', async () => {
  const { checks, failing, looks, answer } = faked();
  const readiness = watchReadiness({ checks, everyMs: 5, timeoutMs: 20 });
  await until(() => readiness.answer.status === 200);
  failing.set('store', 'hangs');
  await until(() => readiness.answer.status === 503);
  const [asked, others] = [looks.get('store')!, looks.get('database')!];
  failing.clear();
  await until(() => looks.get('database')! > others + 10);
  expect([looks.get('store'), readiness.answer.status]).toEqual([asked, 503]);
  answer();
  await until(() => readiness.answer.status === 200);
  readiness.close();
});

it('is unavailable once it drains, still answers, and closes connections', async () => {
  const { checks } = faked();
  const readiness = watchReadiness({ checks, everyMs: 5 });
  const app = api.second({ readiness });
  await until(() => readiness.answer.status === 200);
  readiness.drain();
  const { status, body, headers } = await send(app, null, 'GET', '/readyz');
  expect([status, body.status, headers.connection]).toEqual([503, 'unavailable', 'close']);
  expect((await send(app, null, 'GET', '/healthz')).status).toBe(200);
  readiness.close();
});

it('a worker says so over HTTP', async () => {
  const { checks } = faked();
  const readiness = watchReadiness({ checks, everyMs: 5 });
  const health = await startHealthServer(
    { host: '127.0.0.1', metricsAllow: [], metricsHosts: ['worker-1'] },
    0,
    readiness,
  );
  await until(() => readiness.answer.status === 200);
  const ask = async (path: string): Promise<number> => (await fetch(`${health.url}${path}`)).status;
  expect(await Promise.all(['/healthz', '/readyz', '/metrics', '/else'].map(ask))).toEqual([200, 200, 200, 404]);
  const underHost = (host: string) =>
    new Promise<number | undefined>((resolve) => {
      request(`${health.url}/metrics`, { headers: { host } }, (reply) => resolve(reply.resume().statusCode)).end();
    });
  expect(await Promise.all(['worker-1:9090', 'localhost', 'evil.example'].map(underHost))).toEqual([200, 200, 404]);
  readiness.drain();
  expect(await Promise.all(['/healthz', '/readyz'].map(ask))).toEqual([200, 503]);
  readiness.close();
  await health.stop();
});
