import { Agent, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { credit } from '../../infra/records/ledger/credit.ts';
import { transaction } from '../../infra/drivers/postgres/transaction.ts';
import { createRandom } from '../../ml/random.ts';
import { newAccount, send, startTestApi, type TestApi } from '../support/api.ts';
import { runs, seed } from '../support/counts.ts';
import { answerInProcess } from '../support/fuzz/answer-in-process.ts';
import { hostileBody, hostileKind, type Kind } from '../support/fuzz/hostile-body.ts';
import { hostileHead, type Target } from '../support/fuzz/hostile-head.ts';
import { bytesOf, createBody } from '../support/requests.ts';

const most = { answerBytes: 1024 * 1024, seconds: 2 };
/** So many bodies go through the reader of a thread, and so many of other seeds over HTTP. */
const counts = { inProcess: runs(4_500, 45_000), overHttp: runs(500, 5_000) };

let api: TestApi;
let port: number;
let key: string;
const models: Partial<Record<Kind, string>> = {};
const agent = new Agent({ keepAlive: true });
beforeAll(async () => {
  api = await startTestApi();
  port = Number(new URL(await api.app.listen({ port: 0, host: '127.0.0.1' })).port);
  const account = await newAccount(api.database, {
    limits: { rps: 100_000, burst: 1_000_000, concurrency: 10_000, dailyEstimates: 1_000_000 },
  });
  key = account.key;
  await transaction(api.database.pool, (sql) =>
    credit(sql, { accountId: account.accountId, amount: 10_000_000_000n, source: 'operator', at: new Date() }),
  );
  const fitted = await send(api.app, key, 'POST', '/v1/task-models', createBody());
  const collecting = await send(api.app, key, 'POST', '/v1/task-models', createBody({ defer_fit: true }));
  expect([fitted.status, collecting.status]).toEqual([201, 201]);
  await warmUp();
  Object.assign(models, { predict: fitted.body.id, patch: fitted.body.id, batch: collecting.body.id });
});
afterAll(async () => {
  agent.destroy();
  await api.close();
});

/** Estimates, two at a time, until every thread has compiled what they need. */
async function warmUp(): Promise<void> {
  const estimate = () => send(api.app, key, 'POST', '/v1/task-models', createBody({ dry_run: true }));
  const until = performance.now() + 100_000;
  for (let quick = 0; quick < 3 && performance.now() < until;) {
    const started = performance.now();
    const replies = await Promise.all([estimate(), estimate()]);
    quick = replies.every(({ status }) => status === 200) && performance.now() - started < 1_000 ? quick + 1 : 0;
  }
}

/** Milliseconds that this thread has computed. */
const computed = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1e3;
};

async function ask({ method, path, headers }: Target, body: Uint8Array) {
  const started = performance.now();
  const asked = request({
    port,
    agent,
    method,
    path,
    headers: { authorization: `Bearer ${key}`, 'content-length': body.length, ...headers },
  });
  const answered = new Promise<{ status: number; type: string; retryAfter: number; bytes: Buffer }>(
    (resolve, reject) => {
      asked.on('error', reject).on('response', (response) => {
        const { statusCode: status = 0, headers: got } = response;
        const [type, retryAfter] = [String(got['content-type']), Number(got['retry-after'] ?? 0)];
        buffer(response).then((bytes) => resolve({ status, type, retryAfter, bytes }), reject);
      });
    },
  );
  asked.end(body);
  return { ...(await answered), seconds: (performance.now() - started) / 1e3 };
}

/**
 * A machine may be busy with something else, and a thread still start; a hostile body is slow, or fails, each time. A
 * 503 is sent again when its Retry-After says so.
 */
async function askFairly(target: Target, body: Uint8Array) {
  let reply = await ask(target, body);
  const unlucky = () => reply.status === 503 || (reply.status >= 400 && reply.seconds > most.seconds);
  for (let again = 0; again < 4 && unlucky(); again += 1) {
    await sleep(1000 * reply.retryAfter);
    reply = await ask(target, body);
  }
  return reply;
}

describe('hostile bodies', () => {
  it('are read by a thread without a fault, refused within 1 MiB, each in less than 2 s', { timeout: 300_000 }, () => {
    const start = seed();
    let refused = 0;
    // A thread's first tasks compile what the others use.
    for (let warm = 0; warm < 3; warm += 1) answerInProcess('create', bytesOf(createBody()));
    for (let at = 0; at < counts.inProcess; at += 1) {
      const random = createRandom(start + at);
      const kind = hostileKind(random);
      const body = hostileBody(kind, random);
      const which = `body ${start + at} (${kind}, ${body.length} bytes)`;
      const before = computed();
      let said: string;
      try {
        said = answerInProcess(kind, body);
      } catch (cause) {
        throw new Error(`a fault at ${which}`, { cause });
      }
      const seconds = (computed() - before) / 1e3;
      if (said !== '') refused += 1;
      if (said.length >= most.answerBytes || seconds >= most.seconds)
        expect.fail(`${which}: an answer of ${said.length} bytes after ${seconds} s`);
    }
    expect(refused).toBeGreaterThan(0.5 * counts.inProcess);
    expect(refused).toBeLessThan(0.99 * counts.inProcess);
  });

  it('are answered over HTTP without a 5xx, errors within 1 MiB and 2 s', { timeout: 300_000 }, async () => {
    const start = seed() + counts.inProcess;
    const statuses = new Map<number, number>();
    const one = async (at: number): Promise<void> => {
      const random = createRandom(start + at);
      const kind = hostileKind(random);
      const body = hostileBody(kind, random);
      const target = hostileHead(kind, models[kind] ?? '', random);
      const { status, type, bytes, seconds } = await askFairly(target, body);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const which = `body ${start + at} (${target.method} ${target.path.slice(0, 80)}, ${body.length} bytes)`;
      if (status >= 500)
        expect.fail(`${which}: ${status} ${bytes.subarray(0, 500).toString()}; logged last: ${api.logged.at(-1)}`);
      if (status < 400) return;
      if (bytes.length >= most.answerBytes || seconds >= most.seconds)
        expect.fail(`${which}: ${status}, an answer of ${bytes.length} bytes after ${seconds} s`);
      expect(type, which).toContain('application/json');
      expect(JSON.parse(bytes.toString()), which).toMatchObject({
        code: expect.any(String),
        message: expect.any(String),
      });
    };
    let next = 0;
    const sender = async () => {
      while (next < counts.overHttp) await one(next++);
    };
    await Promise.all(Array.from({ length: 4 }, sender));
    expect(api.logged.filter((line) => !line.startsWith('POOL_UNAVAILABLE'))).toEqual([]);
    expect(statuses.get(422)).toBeGreaterThan(0.5 * counts.overHttp);
    expect(statuses.get(200)).toBeGreaterThan(0);
  });
});
