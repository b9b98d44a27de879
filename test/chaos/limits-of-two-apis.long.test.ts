import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { prices } from '../../infra/contract/prices.ts';
import { setLimits } from '../../infra/records/accounts/accounts.ts';
import { balance } from '../../infra/records/ledger/wallet.ts';
import { checkLedger } from '../../infra/records/ledger/check.ts';
import { credit } from '../../infra/records/ledger/credit.ts';
import { createRandom } from '../../ml/random.ts';
import { newAccount, type TestAccount } from '../support/api.ts';
import { seed } from '../support/counts.ts';
import { s3StartMs } from '../support/s3-programs.ts';
import { answerOn, headOf, opened } from '../support/raw-uploads.ts';
import { startFleet, type Fleet } from './support/fleet.ts';
import { limiter } from './support/limiter.ts';
import { startOperator } from './support/operator.ts';
import { patientCaller, type Reply } from './support/patient-caller.ts';
import { simpleTask } from './support/simple-tasks.ts';

const path = '/v1/task-models';
const task = simpleTask(seed(), 0);
const wide = { rps: 10_000, burst: 100_000, concurrency: 1_000 };

let fleet: Fleet;
let operator: ReturnType<typeof startOperator>;
beforeAll(async () => {
  fleet = await startFleet({ apis: 2, workers: 1 });
  operator = startOperator(fleet.database.pool);
}, s3StartMs);
afterAll(async () => {
  await operator?.stop();
  await fleet?.stop();
});

/** One attempt, at the API of this number. */
async function once(at: number, { key }: TestAccount, method: string, to: string, body?: object) {
  const response = await fetch(fleet.urls[at % fleet.urls.length] + to, {
    method,
    body: body && JSON.stringify(body),
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
  });
  const { code = 'ok' }: { code?: string } = await response.json();
  return { code, headers: response.headers };
}

/** The API is killed once at a time. */
const killing = limiter(1);

/** Asks through both APIs at once, by the retry rules, while one of them is killed; counts the codes of the answers. */
async function askWhileKilled(
  { key, accountId }: TestAccount,
  count: number,
  to: string,
  body: string,
): Promise<Record<string, number>> {
  const { caller } = patientCaller(fleet.urls);
  const few = limiter(20);
  const codes: Record<string, number> = {};
  const note = ({ status, body: answered }: Reply): void => {
    const code = status < 300 ? 'ok' : (answered.code as string);
    codes[code] = (codes[code] ?? 0) + 1;
  };
  const killed: Promise<void>[] = [];
  const ask = async (at: number): Promise<void> => {
    if (at === Math.floor(count / 3)) killed.push(killing(() => fleet.apis[0]!.restart('SIGKILL')));
    note(
      await caller(createRandom(seed() + at)).send({
        key,
        method: 'POST',
        path: to,
        body,
        idempotencyKey: `${accountId}-${to}-${count}-${at}`,
      }),
    );
  };
  await Promise.all(Array.from({ length: count }, (_, at) => few(() => ask(at))));
  await Promise.all(killed);
  return codes;
}

/** An account with a model, and its predictions' path. */
async function withModel(): Promise<{ account: TestAccount; predictions: string }> {
  const account = await newAccount(fleet.database, { limits: wide });
  const { caller } = patientCaller(fleet.urls);
  const created = await caller(createRandom(seed())).send({
    key: account.key,
    method: 'POST',
    path,
    body: JSON.stringify(task.create),
    idempotencyKey: 'create',
  });
  expect(created.status, created.text).toBe(201);
  return { account, predictions: `${path}/${created.body.id}/predictions` };
}

/** Takes or gives credit, so that exactly this is left. */
async function leave({ accountId }: TestAccount, amount: bigint): Promise<void> {
  const { available } = await balance(fleet.database.pool, accountId);
  const change = { accountId, amount: amount - available, source: 'operator', at: new Date() } as const;
  await credit(fleet.database.pool, change);
}

describe('the limits of an account that sends through two APIs at once', () => {
  it('admits exactly the requests of a 10-second window', { retry: 2 }, async () => {
    const account = await newAccount(fleet.database, { limits: { ...wide, rps: 3 } });
    const answers = await Promise.all(Array.from({ length: 60 }, (_, at) => once(at, account, 'GET', path)));
    const codes = answers.map(({ code }) => code);
    expect(codes.filter((code) => code === 'ok')).toHaveLength(30);
    expect(codes.filter((code) => code === 'RATE_LIMITED')).toHaveLength(30);
    for (const { code, headers } of answers)
      if (code !== 'ok') expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    const left = answers
      .filter(({ code }) => code === 'ok')
      .map(({ headers }) => headers.get('x-ratelimit-remaining-requests'));
    expect(left.map(Number).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, at) => at));
  });

  it('admits exactly the burst of each second, one second after another', async () => {
    const burst = 5;
    const account = await newAccount(fleet.database, { limits: { ...wide, burst } });
    let admitted = 0;
    const asking = Array.from({ length: 8 }, async (_, at) => {
      for (; admitted < 4 * burst; await sleep(10))
        if ((await once(at, account, 'GET', path)).code === 'ok') admitted += 1;
    });
    await Promise.all(asking);
    const { rows } = await fleet.database.pool.query<{ at: Date; code: string }>(
      'SELECT at, code FROM request_log WHERE account_id = $1 ORDER BY at',
      [account.accountId],
    );
    const times = rows.filter(({ code }) => code === 'ok').map(({ at }) => at.getTime());
    expect(times.length).toBe(admitted);
    for (let first = 0; first + burst < times.length;) {
      const inSecond = times.filter((time) => time >= times[first]! && time < times[first]! + 999).length;
      const refused = rows.some(
        ({ code, at }) => code === 'RATE_LIMITED' && at.getTime() > times[first]! && at.getTime() < times[first]! + 999,
      );
      expect(inSecond).toBeLessThanOrEqual(burst);
      if (refused) expect(inSecond).toBe(burst);
      first += inSecond;
    }
  });

  it('admits exactly three slow requests at a time', async () => {
    const account = await newAccount(fleet.database, { limits: { ...wide, concurrency: 3 } });
    const body = Buffer.from(JSON.stringify({ ...task.create, dry_run: true }));
    const ports = fleet.urls.map((url) => Number(new URL(url).port));
    for (let round = 0; round < 2; round += 1) {
      const head = headOf(path, account.key, body.length);
      const sockets = await Promise.all(Array.from({ length: 8 }, (_, at) => opened(ports[at % 2]!, head)));
      let refused = 0;
      const answers = sockets.map(async (socket) => {
        const answer = await answerOn(socket);
        if (answer.status === 429) refused += 1;
        return answer;
      });
      await expect.poll(() => refused).toBe(5);
      const { rowCount } = await fleet.database.pool.query('SELECT FROM request_leases WHERE account_id = $1', [
        account.accountId,
      ]);
      expect(rowCount).toBe(3);
      for (const socket of sockets) if (!socket.destroyed) socket.write(body);
      const statuses = (await Promise.all(answers)).map(({ status, body: answered }) => answered.code ?? status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(3);
      expect(statuses.filter((status) => status === 'CONCURRENCY_LIMITED')).toHaveLength(5);
      for (const socket of sockets) socket.destroy();
    }
  });

  it('answers exactly the estimates of a day', { retry: 1 }, async () => {
    const account = await newAccount(fleet.database, { limits: { ...wide, dailyEstimates: 5 } });
    const answers = await Promise.all(
      Array.from({ length: 14 }, (_, at) => once(at, account, 'POST', path, { ...task.create, dry_run: true })),
    );
    const codes = answers.map(({ code }) => code);
    expect(codes.filter((code) => code === 'ok')).toHaveLength(5);
    expect(codes.filter((code) => code === 'USAGE_CAP_EXCEEDED')).toHaveLength(9);
  });
});

/** Each waits up to a minute for the keys of requests whose API was killed, so they run side by side. */
describe.concurrent('the money of an account that sends through two APIs while one is killed', () => {
  it('is spent to the last window of its cap, and not beyond', { retry: 1 }, async () => {
    const { account, predictions } = await withModel();
    const spent = prices.createFee + prices.hostingMonth;
    await setLimits(fleet.database.pool, account.accountId, { dailyCapMicroUsd: spent + 11n * prices.window });
    expect(await askWhileKilled(account, 40, predictions, task.one)).toEqual({ ok: 11, BUDGET_EXCEEDED: 29 });
  });

  it('is spent to its last window, and no prediction is free', async () => {
    const { account, predictions } = await withModel();
    await leave(account, 37n * prices.window + 1n);
    expect(await askWhileKilled(account, 60, predictions, task.one)).toEqual({ ok: 37, INSUFFICIENT_CREDIT: 23 });
    expect(await balance(fleet.database.pool, account.accountId)).toEqual({ available: 1n, held: 0n });
  });

  it('pays for exactly two creates of five', async () => {
    const account = await newAccount(fleet.database, { limits: wide });
    const create = JSON.stringify(task.create);
    expect(await askWhileKilled(account, 5, path, create)).toEqual({ ok: 2, INSUFFICIENT_CREDIT: 3 });
    const left = prices.newAccountCredit - 2n * (prices.createFee + prices.hostingMonth);
    expect(await balance(fleet.database.pool, account.accountId)).toEqual({ available: left, held: 0n });
  });

  it.sequential('leaves sound books', async () => {
    expect((await checkLedger(fleet.database.pool, { at: new Date() })).problems).toEqual([]);
  });
});
