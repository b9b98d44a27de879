import { randomBytes } from 'node:crypto';
import { appendFile, open } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CreateMultipartUploadCommand, S3Client } from '@aws-sdk/client-s3';
import { StoreUnavailable, type ByteStore } from '../../infra/drivers/objects/bytes.ts';
import { ObjectDamaged, sealedStore } from '../../infra/drivers/objects/object-store.ts';
import { createS3Store } from '../../infra/drivers/objects/s3-store.ts';
import { parseS3Url, type S3Location } from '../../infra/drivers/objects/s3-url.ts';
import { setEnvironment } from '../support/byte-stores.ts';
import { warnMissing } from '../support/fetched-tool.ts';
import { s3StartMs } from '../support/s3-programs.ts';
import { startS3Server, type S3Server } from '../support/s3-server.ts';

let s3: S3Server | null = null;
let environment: { restore(): void } | null = null;
let at: S3Location;
let store: ByteStore;
const key = randomBytes(32);
beforeAll(async () => {
  const server = await startS3Server();
  if ('missing' in server) {
    warnMissing('an S3 server', server.missing);
    return;
  }
  s3 = server;
  environment = setEnvironment(server.env);
  at = parseS3Url(server.url);
  store = createS3Store(at, { limits: { connectMs: 1_000, silenceMs: 2_000, wholeMs: 10_000 } });
}, s3StartMs);
afterAll(async () => {
  environment?.restore();
  await s3?.stop();
});

it('lists and deletes more objects than one answer of S3 holds', async ({ skip }) => {
  if (!s3) {
    skip();
    return;
  }
  const names = Array.from({ length: 2_100 }, (_, i) => `many/${String(i).padStart(5, '0')}`);
  for (let from = 0; from < names.length; from += 50)
    await Promise.all(names.slice(from, from + 50).map((name) => store.put(name, new Uint8Array([1]))));
  const objects = sealedStore(store, [key]);
  expect((await objects.list('many/')).map(({ name }) => name)).toEqual(names);
  await objects.deletePrefix('many/');
  expect(await objects.list('many/')).toEqual([]);
});

it('whose server dies in the middle of puts and gets writes whole objects or none, and goes on', async ({ skip }) => {
  if (!s3?.durable) {
    skip();
    return;
  }
  const objects = sealedStore(store, [key]);
  const torn = `models/clf_${'7'.repeat(32)}/`;
  const contents = new Map<string, Buffer>(
    Array.from({ length: 12 }, (_, i) => [`${torn}${i}`, randomBytes(12_000_000)]),
  );
  const kept = [...contents.keys()].slice(0, 2);
  for (const name of kept) await objects.create(name, contents.get(name)!);
  const work = [...contents].map(async ([name, bytes]) => {
    if (kept.includes(name)) await objects.get(name);
    else await objects.create(name, bytes);
  });
  const ended = Promise.allSettled(work);
  await Promise.race(work);
  await s3.kill();
  for (const each of await ended)
    if (each.status === 'rejected')
      expect(each.reason).toMatchObject({ name: 'StoreUnavailable', reason: 'unreachable' });
  await expect(objects.get(kept[0]!)).rejects.toBeInstanceOf(StoreUnavailable);
  await s3.restart();
  const there = (await objects.list(torn)).map(({ name }) => name);
  for (const name of there) expect(contents.get(name)!.equals(await objects.get(name))).toBe(true);
  for (const [at, name] of [...contents.keys()].entries())
    if ((await ended)[at]!.status === 'fulfilled') expect(there).toContain(name);
  for (const [name, bytes] of contents) if (!there.includes(name)) await objects.create(name, bytes);
  await store.removeDrafts(new Date(Date.now() + 3_600_000));
  await objects.deletePrefix(torn);
});

it('aborts only old uploads, which killed processes left', async ({ skip }) => {
  if (!s3?.durable) {
    skip();
    return;
  }
  const client = new S3Client({ region: at.region, endpoint: s3.endpoint, forcePathStyle: true });
  const begin = (Key: string) => client.send(new CreateMultipartUploadCommand({ Bucket: at.bucket, Key }));
  const model = `clf_${'a'.repeat(32)}`;
  await begin(`${at.prefix}models/${model}/a`);
  await begin(`${at.prefix}models/${model}/b`);
  await begin(`${at.prefix}models/resnet/w.bin`);
  await begin('elsewhere/c');
  expect(await store.removeDrafts(new Date(Date.now() - 60_000))).toBe(0);
  const paged = createS3Store(at, { pageSize: 1 });
  expect(await paged.removeDrafts(new Date(Date.now() + 60_000))).toBe(2);
  expect(await store.removeDrafts(new Date(Date.now() + 60_000))).toBe(0);
});

it('reports objects that were changed on its disk as damaged', async ({ skip }) => {
  if (!s3?.durable) {
    skip();
    return;
  }
  const objects = sealedStore(store, [key]);
  const pathOf = (name: string): string => join(s3!.folder, at.bucket, at.prefix, name);
  for (const name of ['bad/changed', 'bad/longer', 'bad/parts']) {
    await objects.put(name, name === 'bad/parts' ? randomBytes(10_000_000) : randomBytes(10_000));
    if (name === 'bad/longer') await appendFile(pathOf(name), 'more');
    else await overwrite(pathOf(name));
    await expect(objects.get(name)).rejects.toBeInstanceOf(ObjectDamaged);
  }
});

async function overwrite(path: string): Promise<void> {
  const file = await open(path, 'r+');
  await file.write(Buffer.from('changed'), 0, 7, 5_000);
  await file.close();
}
