import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createS3Store } from '../../infra/drivers/objects/s3-store.ts';
import { parseS3Url } from '../../infra/drivers/objects/s3-url.ts';
import { setEnvironment } from '../support/byte-stores.ts';
import { warnMissing } from '../support/fetched-tool.ts';
import { httpClient } from '../support/http-client.ts';
import { createBody } from '../support/requests.ts';
import { s3StartMs } from '../support/s3-programs.ts';
import { startS3Server, type S3Server } from '../support/s3-server.ts';
import { admin, adminKey, newDataDir, runMain, type Program } from '../support/stack.ts';

const { x, labels, description: _, ...signal } = createBody();
const models = '/v1/task-models';

describe('the service on an S3 server', () => {
  let s3: S3Server | null = null;
  let data: Awaited<ReturnType<typeof newDataDir>>;
  let program: Program;
  let caller: ReturnType<typeof httpClient>;
  const start = (change: Record<string, string> = {}): Program =>
    runMain('start', [], { ...s3!.env, DATA_DIR: data.path, OBJECT_STORE_URL: s3!.url, ...change });
  const spent = async (): Promise<string> => (await caller.send('GET', '/v1/usage')).body.month?.usd;
  const stored = async (): Promise<string[]> => {
    const environment = setEnvironment(s3!.env);
    const names: string[] = [];
    for await (const page of createS3Store(parseS3Url(s3!.url)).pages('')) names.push(...page.map(({ name }) => name));
    environment.restore();
    return names;
  };

  beforeAll(async () => {
    data = await newDataDir();
    const server = await startS3Server();
    if ('missing' in server) {
      warnMissing('an S3 server', server.missing);
      return;
    }
    s3 = server;
    program = start();
    const [, url] = await program.says(/API\s+(http:\S+)/, 600);
    const { key, accountId } = await adminKey(data.path);
    await admin(data.path, 'account', 'credit', '--account', accountId, '--usd', '20');
    caller = httpClient(url!, key);
  }, s3StartMs);
  afterAll(async () => {
    await data.remove();
    await s3?.stop();
  });

  it('creates, collects, fits, predicts and deletes, and then leaves nothing in the bucket', async ({ skip }) => {
    if (!s3) {
      skip();
      return;
    }
    const created = await caller.send('POST', models, createBody());
    expect([created.status, created.body.code]).toEqual([201, undefined]);
    const deferred = await caller.send('POST', models, createBody({ defer_fit: true }));
    expect(deferred.status).toBe(201);
    const path = `${models}/${deferred.body.id}`;
    expect((await caller.send('POST', `${path}/trials`, { ...signal, x, labels })).status).toBe(200);
    expect((await caller.send('POST', `${path}/fit`)).status).toBe(200);
    // What a fit has left is removed once it is answered.
    const kept = async (): Promise<string[]> => (await stored()).map((name) => name.split('/').slice(0, 2).join('/'));
    const ofModels = [created, deferred].map(({ body }) => `models/${body.id}`);
    await expect.poll(async () => (await kept()).toSorted(), { timeout: 60_000 }).toEqual(ofModels.toSorted());
    for (const { body } of [created, deferred]) {
      const predicted = await caller.send('POST', `${models}/${body.id}/predictions`, { ...signal, x });
      expect([predicted.status, predicted.body.data?.length]).toEqual([200, (labels as string[]).length]);
      expect((await caller.send('DELETE', `${models}/${body.id}`)).status).toBe(200);
    }
    await expect.poll(stored, { timeout: 60_000 }).toEqual([]);
  });

  it('answers 503 and charges nothing while the store is unreachable, and continues when it is back', async ({
    skip,
  }) => {
    if (!s3) {
      skip();
      return;
    }
    const before = await spent();
    await s3.kill();
    for (const body of [createBody(), createBody({ defer_fit: true })]) {
      const refused = await caller.send('POST', models, body);
      expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).toEqual([
        503,
        'POOL_UNAVAILABLE',
        '5',
      ]);
      expect(refused.body.message).toMatch(/nothing was charged/);
    }
    expect((await caller.send('GET', '/healthz')).status).toBe(200);
    expect(await spent()).toBe(before);
    if (!s3.durable) return;
    await s3.restart();
    const created = await caller.untilAnswered(models, createBody(), crypto.randomUUID());
    expect(created.status).toBe(201);
    expect((await caller.send('DELETE', `${models}/${created.body.id}`)).status).toBe(200);
    await expect.poll(stored, { timeout: 60_000 }).toEqual([]);
  });

  it('does not start on a bucket or with credentials that are wrong, and says what to do', async ({ skip }) => {
    if (!s3?.durable) {
      skip();
      return;
    }
    await program.interrupt();
    await s3.restart();
    const secret = 'x'.repeat(40);
    const wrong = [
      [{ OBJECT_STORE_URL: s3.url.replace(s3.bucket, 'another-bucket') }, /NoSuchBucket[^]*Create the bucket/],
      [{ AWS_SECRET_ACCESS_KEY: secret }, /SignatureDoesNotMatch[^]*AWS_ACCESS_KEY_ID/],
      [{ AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '' }, /finds no credentials/],
      [{ OBJECT_STORE_URL: `${s3.url}&retries=9` }, /OBJECT_STORE_URL has the parameter "retries"/],
    ] as const;
    for (const [change, words] of wrong) {
      const ended = start(change);
      expect(await ended.exit).toBe(1);
      expect(ended.output()).toMatch(words);
      expect(ended.output()).not.toContain(secret);
      expect(ended.output()).not.toMatch(/^\s+at .*\/infra\//m);
    }
    expect(await readdir(s3.folder)).toContain(s3.bucket);
  });
});
