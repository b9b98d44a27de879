import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorObject } from '../../api/contract/responses.ts';
import { beginIdempotency, finishIdempotency, setIdempotentJob } from '../../infra/records/admission/idempotency.ts';
import { createCost } from '../../infra/records/ledger/holds.ts';
import { newKey, send, type Reply } from '../support/api.ts';
import { answerOn, headOf, opened } from '../support/raw-uploads.ts';
import { createFrailApp, createDurableJobs } from '../support/frail-api.ts';
import { path, signal, small, startKeyedApi, type KeyedApi } from '../support/keyed-api.ts';
import { createBody } from '../support/requests.ts';

let keyed: KeyedApi;
beforeAll(async () => {
  keyed = await startKeyedApi();
});
afterAll(() => keyed.api.close());

describe('an Idempotency-Key', () => {
  it.each([
    ['a create', () => path, createBody(small)],
    ['an estimate', () => path, createBody({ ...small, dry_run: true })],
    ['a deferred create', () => path, createBody({ ...small, defer_fit: true })],
    ['a prediction', () => keyed.predictUrl, signal],
  ])('makes %s answer once and bill once, byte for byte', async (_name, url, body) => {
    const key = randomUUID();
    const first = await keyed.post(url(), body, key);
    expect(first.status, first.text).toBeLessThan(300);
    const after = await keyed.available();
    const again = await keyed.post(url(), body, key);
    expect([again.status, again.text, again.headers['idempotent-replayed'], again.headers.location]).toEqual([
      first.status,
      first.text,
      'true',
      first.headers.location,
    ]);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(await keyed.available()).toBe(after);
  });

  it('covers /trials and /fit, whose replay still works when the model is active', async () => {
    const { id } = (await keyed.post(path, createBody({ ...small, defer_fit: true }))).body;
    const batchKey = randomUUID();
    const batch = { ...signal, labels: createBody().labels };
    const one = await keyed.post(`${path}/${id}/trials`, batch, batchKey);
    expect((await keyed.post(`${path}/${id}/trials`, batch, batchKey)).text).toBe(one.text);
    const fitKey = randomUUID();
    const fit = await keyed.post(`${path}/${id}/fit`, undefined, fitKey);
    expect(fit.status, fit.text).toBe(200);
    const again = await keyed.post(`${path}/${id}/fit`, {}, fitKey);
    expect([again.status, again.text]).toEqual([200, fit.text]);
    expect((await keyed.post(`${path}/${id}/trials`, batch, batchKey)).headers['idempotent-replayed']).toBe('true');
  });

  it('with another body, or on another route, is 422 IDEMPOTENCY_KEY_REUSED; a fresh key is the fix', async () => {
    const key = randomUUID();
    await keyed.post(keyed.predictUrl, signal, key);
    for (const [url, body] of [
      [keyed.predictUrl, { ...signal, align: 'batch' }],
      [path, createBody(small)],
    ] as const) {
      const reply = await keyed.post(url, body, key);
      expect([reply.status, reply.body.code, reply.body.field]).toEqual([
        422,
        'IDEMPOTENCY_KEY_REUSED',
        'Idempotency-Key',
      ]);
      expect((await keyed.post(url, body, reply.body.alternatives[0]['Idempotency-Key'])).status).toBeLessThan(300);
    }
  });

  it('of a test key is independent of the same key in live mode', async () => {
    const key = randomUUID();
    const test = await newKey(keyed.api.database, keyed.account.accountId, { mode: 'test' });
    const body = createBody({ ...small, dry_run: true });
    const answers: Reply[] = [];
    for (const secret of [keyed.account.key, test.key, keyed.account.key, test.key])
      answers.push(await send(keyed.api.app, secret, 'POST', path, body, { 'idempotency-key': key }));
    expect(answers.map(({ status, body: { create_usd: usd } }) => [status, usd])).toEqual([
      [200, '1.00'],
      [200, '0.00'],
      [200, '1.00'],
      [200, '0.00'],
    ]);
    expect(answers.map(({ headers }) => headers['idempotent-replayed'])).toEqual([
      undefined,
      undefined,
      'true',
      'true',
    ]);
  });

  it('of a running request is 409 CONFLICT with progress and Retry-After', async () => {
    const key = randomUUID();
    const { promise: begun, resolve: begins } = Promise.withResolvers<void>();
    const { promise: asked, resolve: goOn } = Promise.withResolvers<void>();
    const job = createDurableJobs(keyed.api.deps, () => 0);
    const { app } = createFrailApp(
      keyed.api.deps,
      async (request, fails) => {
        begins();
        await asked;
        return await job(request, fails);
      },
      'none',
    );
    const running = keyed.post(path, createBody(small), key, app);
    await begun;
    const reply = await keyed.post(path, createBody(small), key);
    goOn();
    expect([reply.status, reply.body.code]).toEqual([409, 'CONFLICT']);
    expect(reply.body.details.progress).toMatchObject({ candidates_scored: 0, candidates: [] });
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
    errorObject.parse(reply.body);
    expect((await running).status).toBe(201);
    await app.close();
  });

  it('stores nothing for a validation error, a refusal or a missing balance', async () => {
    const key = randomUUID();
    expect((await keyed.post(path, createBody({ ...small, units: 'unknown' }), key)).status).toBe(422);
    expect((await keyed.post(path, createBody({ ...small, description: 'emotion' }), key)).body.code).toBe(
      'TASK_UNSUPPORTED',
    );
    await keyed.api.database.pool.query(`UPDATE accounts SET daily_windows = 0 WHERE id = $1`, [
      keyed.account.accountId,
    ]);
    expect((await keyed.post(keyed.predictUrl, signal, key)).body.code).toBe('USAGE_CAP_EXCEEDED');
    await keyed.api.database.pool.query(`UPDATE accounts SET daily_windows = NULL WHERE id = $1`, [
      keyed.account.accountId,
    ]);
    expect((await keyed.post(keyed.predictUrl, { ...signal, channels: ['C3', 'Cz', 'Pz'] }, key)).status).toBe(422);
    const { rows } = await keyed.api.database.pool.query('SELECT FROM idempotency_keys WHERE key = $1', [key]);
    expect(rows).toHaveLength(0);
    expect((await keyed.post(keyed.predictUrl, signal, key)).status).toBe(200);
  });

  it('begins one job if its lock was lost: the slow request answers 409 and costs nothing', async () => {
    const key = randomUUID();
    const { promise: staging, resolve: reached } = Promise.withResolvers<void>();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const { threads, pool } = keyed.api.deps;
    const slow = keyed.api.second({
      threads: {
        ...threads,
        stage: async (...args) => {
          reached();
          await ended;
          return threads.stage(...args);
        },
      },
    });
    const before = await keyed.available();
    const first = keyed.post(path, createBody(small), key, slow);
    await staging;
    await pool.query('UPDATE idempotency_keys SET locked_until = now() WHERE key = $1', [key]);
    const second = await keyed.post(path, createBody(small), key);
    expect(second.status, second.text).toBe(201);
    end();
    expect(await first).toMatchObject({ status: 409, body: { code: 'CONFLICT', field: 'Idempotency-Key' } });
    expect((await keyed.post(path, createBody(small), key)).text).toBe(second.text);
    expect(before - (await keyed.available())).toBe(createCost);
  });

  it('that was opened before its body was known joins a job, or gives its answer, only to the same body', async () => {
    const { pool } = keyed.api.deps;
    const name = { accountId: keyed.account.accountId, mode: 'live' as const, key: randomUUID() };
    const lockId = randomUUID();
    await pool.query('SELECT begin_open_key($1, $2, $3, $4, 60, 0, NULL)', [...Object.values(name), lockId]);
    const job = { modelId: 'clf_0', jobId: randomUUID(), holdId: null };
    expect(await setIdempotentJob(pool, { ...name, job, lockId, hash: 'first' })).toBe(true);
    const begin = async (hash: string) => {
      const taking = { ...name, hash, lockId: randomUUID(), lockSeconds: 60 };
      return (await beginIdempotency(pool, taking)).outcome;
    };
    expect([await begin('second'), await begin('first')]).toEqual(['reused', 'running']);
    await finishIdempotency(pool, { ...name, status: 200, body: '{}', modelId: null });
    expect([await begin('second'), await begin('first')]).toEqual(['reused', 'replay']);
    const opened = { ...name, key: randomUUID() };
    await pool.query('SELECT begin_open_key($1, $2, $3, $4, 60, 0, NULL)', [...Object.values(opened), lockId]);
    const unknown = finishIdempotency(pool, { ...opened, status: 200, body: '{}', modelId: null });
    await expect(unknown).rejects.toThrow(/violates check constraint/);
  });

  it('is any text that HTTP carries, of 1 to 255 bytes', async () => {
    for (const key of ['', 'k'.repeat(256)]) {
      const reply = await keyed.post(keyed.predictUrl, signal, key);
      expect([reply.status, reply.body.field, reply.body.details.errors[0].field]).toEqual([
        422,
        'Idempotency-Key',
        'Idempotency-Key',
      ]);
    }
    const utf8 = Buffer.from('Запит 1').toString('latin1');
    for (const key of ['order 7, second try', utf8, 'k'.repeat(255), `"quoted"; a=b\t${randomUUID()}`]) {
      const first = await keyed.post(keyed.predictUrl, signal, key);
      expect(first.status, first.text).toBe(200);
      const again = await keyed.post(keyed.predictUrl, signal, key);
      expect(again.headers['idempotent-replayed']).toBe('true');
      expect(again.text).toBe(first.text);
    }
  });

  it('is read with the tabs and blanks inside it, without those around it, as documented', async () => {
    const document = (await send(keyed.api.app, null, 'GET', '/openapi.json')).body;
    const [{ schema }] = document.paths[`${path}/{model_id}/fit`].post.parameters.filter(
      ({ name }: { name: string }) => name === 'Idempotency-Key',
    );
    await keyed.api.app.listen({ port: 0 });
    const { port } = keyed.api.app.server.address() as AddressInfo;
    const long = 'l'.repeat(255);
    const taken = [
      'a',
      'a b',
      'a\tb',
      'a ',
      'a\t',
      ' a',
      `${long} \t`,
      `k ${'k'.repeat(253)}`,
      '\u0080',
      '\u00a0',
      '\u00ff',
    ];
    const refused = ['', ' ', '\t', `${long}k`, `k ${long}`, 'a\u0000b', 'a\u0001', 'a\u001f', 'a\u007f'];
    for (const key of [...taken, ...refused]) {
      const head = headOf(`${path}/clf_${'0'.repeat(32)}/fit`, keyed.account.key, 0);
      const bytes = Buffer.from(head.replace('\r\n\r\n', `\r\nidempotency-key: ${key}\r\n\r\n`), 'latin1');
      const socket = await opened(port, bytes);
      const { status } = await answerOn(socket);
      socket.destroy();
      expect([key, status === 404]).toEqual([key, taken.includes(key)]);
      expect([key, new RegExp(schema.pattern).test(key)]).toEqual([key, taken.includes(key)]);
    }
  });

  it('replays an answer whose request has since become invalid', async () => {
    const key = randomUUID();
    const body = createBody({ ...small, defer_fit: true, expires_at: new Date(Date.now() + 1_500).toISOString() });
    const first = await keyed.post(path, body, key);
    expect(first.status, first.text).toBe(201);
    await new Promise((resolve) => setTimeout(resolve, 1_600));
    expect((await keyed.post(path, body, key)).text).toBe(first.text);
    expect((await keyed.post(path, body, randomUUID())).body.field).toBe('expires_at');
  });
});
