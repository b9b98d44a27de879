import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { simulateRecording } from '../../infra/demo/simulated.ts';
import { createOf, httpClient, signalOf } from '../support/http-client.ts';
import { admin, adminKey, newDataDir, runMain } from '../support/stack.ts';

let folder: Awaited<ReturnType<typeof newDataDir>>;
beforeAll(async () => {
  folder = await newDataDir();
});
afterAll(() => folder.remove());

it(
  'goes on with a running create after a kill -9 of the whole stack: one model, one charge, the answer for the retry',
  { timeout: 600_000 },
  async () => {
    const { trials } = simulateRecording();
    const body = createOf(trials, 'imagined movement: fists or feet');
    const start = async () => {
      const program = runMain('start', [], { DATA_DIR: folder.path });
      return { program, url: (await program.says(/API\s+(http:\S+)/))[1] };
    };
    const first = await start();
    const { key, accountId } = await adminKey(folder.path);
    const before = httpClient(first.url, key);
    const lost = before.send('POST', '/v1/task-models', body, { 'idempotency-key': 'survives' }).then(
      (reply) => reply.status,
      () => 'connection lost',
    );

    let scored = 0;
    while (scored === 0) {
      await sleep(200);
      const { status, body: answer } = await before.send('POST', '/v1/task-models', body, {
        'idempotency-key': 'survives',
      });
      expect(status).toBe(409);
      scored = answer.details.progress?.candidates_scored ?? 0;
    }
    await folder.killAll();
    expect(await lost).toBe('connection lost');

    const second = await start();
    const after = httpClient(second.url, key);
    const created = await after.untilAnswered('/v1/task-models', body, 'survives');
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    expect(created.body).toMatchObject({ status: 'active', classes: expect.arrayContaining(['fists', 'feet']) });
    const again = await after.send('POST', '/v1/task-models', body, { 'idempotency-key': 'survives' });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(created.body);
    expect((await after.send('GET', '/v1/task-models')).body.data.map(({ id }: { id: string }) => id)).toEqual([
      created.body.id,
    ]);
    expect((await after.send('GET', '/v1/usage')).body.month.usd).toBe('2.00');
    expect(
      (await after.send('POST', `/v1/task-models/${created.body.id}/predictions`, signalOf(trials))).body.data,
    ).toHaveLength(trials.labels.length);
    expect(await admin<object>(folder.path, 'ledger', 'check')).toMatchObject({ ok: true });
    expect(await admin<object>(folder.path, 'account', 'show', '--account', accountId)).toMatchObject({
      held_usd: '0.00',
    });
    expect(await second.program.interrupt()).toBe(0);
    expect(await folder.processes()).toEqual([]);
  },
);

it(
  'answers the retry of a create whose API process was killed: at any moment one model, one charge',
  { timeout: 600_000 },
  async () => {
    const own = await newDataDir();
    try {
      const { trials } = simulateRecording();
      const body = createOf(trials, 'imagined movement: fists or feet');
      const stack = runMain('start', [], { DATA_DIR: own.path });
      const [, url] = await stack.says(/API\s+(http:\S+)/);
      const { key, accountId } = await adminKey(own.path);
      await admin(own.path, 'account', 'credit', '--account', accountId, '--usd', '20');
      const client = httpClient(url, key);
      // Milliseconds after the request was sent; null: once a candidate is scored.
      for (const [index, moment] of [0, 150, 500, null].entries()) {
        const name = `killed-${index}`;
        const api = runMain('api', [], { DATA_DIR: own.path });
        const dying = httpClient((await api.says(/API\s+(http:\S+)/))[1], key);
        const lost = dying.send('POST', '/v1/task-models', body, { 'idempotency-key': name }).then(
          (reply) => reply.status,
          () => 'connection lost',
        );
        await sleep(moment ?? 1_000);
        for (let scored = moment === null ? 0 : 1; scored === 0; await sleep(50)) {
          const { status, body: answer } = await client.send('POST', '/v1/task-models', body, {
            'idempotency-key': name,
          });
          expect(status).toBe(409);
          scored = answer.details.progress?.candidates_scored ?? 0;
        }
        process.kill(api.child.pid!, 'SIGKILL');
        expect(await lost).toBe('connection lost');
        const created = await client.untilAnswered('/v1/task-models', body, name);
        expect(created.status, JSON.stringify(created.body)).toBe(201);
        const again = await client.send('POST', '/v1/task-models', body, { 'idempotency-key': name });
        expect(again.headers.get('idempotent-replayed')).toBe('true');
        expect(again.body).toEqual(created.body);
        expect((await client.send('GET', '/v1/task-models')).body.data.map(({ id }: { id: string }) => id)).toEqual([
          created.body.id,
        ]);
        expect((await client.send('GET', '/v1/usage')).body.month.usd).toBe(`${2 * (index + 1)}.00`);
        expect((await client.send('DELETE', `/v1/task-models/${created.body.id}`)).status).toBe(200);
      }
      expect(await admin<object>(own.path, 'ledger', 'check')).toMatchObject({ ok: true });
      expect(await admin<object>(own.path, 'account', 'show', '--account', accountId)).toMatchObject({
        held_usd: '0.00',
      });
    } finally {
      await own.remove();
    }
  },
);
