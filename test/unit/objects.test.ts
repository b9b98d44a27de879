import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  createObjectStore,
  ObjectDamaged,
  ObjectMissing,
  type ObjectStore,
} from '../../infra/drivers/objects/object-store.ts';
import { StoreUnavailable } from '../../infra/drivers/objects/bytes.ts';

let folder: string;
let store: ObjectStore;
const key = new Uint8Array(32).fill(1);
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (value: Uint8Array): string => new TextDecoder().decode(value);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'objects-'));
  store = createObjectStore({ url: pathToFileURL(folder).href, keys: [key] });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('returns the stored bytes, and the last put wins', async () => {
  await store.put('models/clf_1', bytes('one'));
  await store.put('models/clf_1', bytes('two'));
  expect(text(await store.get('models/clf_1'))).toBe('two');
});

it('stores empty and large objects', async () => {
  const large = new Uint8Array(8_000_000).map((_, i) => i % 251);
  await store.put('a', new Uint8Array(0));
  await store.put('b', large);
  expect(await store.get('a')).toHaveLength(0);
  expect(Buffer.compare(await store.get('b'), large)).toBe(0);
});

it('throws ObjectMissing for a missing object; deleting it is no error', async () => {
  await expect(store.get('models/none')).rejects.toBeInstanceOf(ObjectMissing);
  await expect(store.delete('models/none')).resolves.toBeUndefined();
});

it('writes no plaintext, never the same bytes twice, readable by the owner only', async () => {
  await store.put('staged/m/j', bytes('canary waveform'));
  const first = readFileSync(join(folder, 'staged/m/j'));
  await store.put('staged/m/j', bytes('canary waveform'));
  const second = readFileSync(join(folder, 'staged/m/j'));
  expect(first.includes('canary')).toBe(false);
  expect(first.equals(second)).toBe(false);
  expect(statSync(join(folder, 'staged/m/j')).mode & 0o777).toBe(0o600);
});

it('refuses an object that was changed, moved to another name, or written with another key', async () => {
  await store.put('models/a', bytes('x'));
  await store.put('models/b', bytes('y'));
  const other = createObjectStore({ url: pathToFileURL(folder).href, keys: [new Uint8Array(32).fill(2)] });
  await expect(other.get('models/a')).rejects.toThrow('another DATA_ENCRYPTION_KEY');
  const changed = readFileSync(join(folder, 'models/b'));
  changed[changed.length - 1] ^= 1;
  writeFileSync(join(folder, 'models/b'), changed);
  await expect(store.get('models/b')).rejects.toThrow('changed');
  await expect(store.get('models/b')).rejects.toMatchObject({ object: 'models/b' });
  await expect(store.get('models/b')).rejects.toBeInstanceOf(ObjectDamaged);
  await expect(other.get('models/a')).rejects.not.toBeInstanceOf(ObjectMissing);
  renameSync(join(folder, 'models/a'), join(folder, 'models/c'));
  await expect(store.get('models/c')).rejects.toThrow('cannot be opened');
  writeFileSync(join(folder, 'models/d'), 'foreign');
  await expect(store.get('models/d')).rejects.toThrow('not one that this store wrote');
});

it('lists by prefix with times, and deletes by prefix', async () => {
  for (const name of ['features/m1/1', 'features/m1/2', 'features/m10/1', 'staged/m1/j'])
    await store.put(name, bytes(name));
  const names = async (prefix: string) => (await store.list(prefix)).map((each) => each.name);
  expect(await names('features/m1/')).toEqual(['features/m1/1', 'features/m1/2']);
  expect(await names('features/m1')).toEqual(['features/m1/1', 'features/m1/2', 'features/m10/1']);
  expect(await names('')).toHaveLength(4);
  expect(await names('none/')).toEqual([]);
  expect(Date.now() - (await store.list('staged/'))[0].modifiedAt.getTime()).toBeLessThan(60_000);
  await store.deletePrefix('features/m1/');
  expect(await names('')).toEqual(['features/m10/1', 'staged/m1/j']);
});

it('survives puts and deletes in one folder at the same time', async () => {
  await Promise.all(
    Array.from({ length: 100 }, async (_, i) => {
      await store.put(`fits/m/${i}`, bytes(String(i)));
      if (i % 2) await store.delete(`fits/m/${i}`);
    }),
  );
  expect(await store.list('fits/')).toHaveLength(50);
});

it.each(['../x', 'a/../b', '/a', 'a//b', '', '.hidden', 'a b'])('refuses the name "%s"', async (name) => {
  await expect(store.put(name, bytes('x'))).rejects.toThrow('is not an object name');
});

it('lists the known schemes', () => {
  expect(() => createObjectStore({ url: 'ftp://host', keys: [key] })).toThrow('use file: or s3:');
});

it('removes leftovers of interrupted writes when they are old, and never lists them', async () => {
  await store.put('staged/m/j', bytes('x'));
  const draft = join(folder, '.drafts/0123');
  mkdirSync(join(folder, '.drafts'), { recursive: true });
  writeFileSync(draft, 'canary waveform');
  expect(await store.list('')).toHaveLength(1);
  expect(await store.removeDrafts(new Date(Date.now() - 60_000))).toBe(0);
  expect(existsSync(draft)).toBe(true);
  expect(await store.removeDrafts(new Date(Date.now() + 60_000))).toBe(1);
  expect(existsSync(draft)).toBe(false);
  expect(text(await store.get('staged/m/j'))).toBe('x');
});

it('names the key of each object, decrypts those of former keys, and encrypts them again', async () => {
  const newer = new Uint8Array(32).fill(2);
  await store.put('models/a', bytes('x'));
  const both = createObjectStore({ url: pathToFileURL(folder).href, keys: [newer, key] });
  expect(both.keyId).not.toBe(store.keyId);
  expect(text(await both.get('models/a'))).toBe('x');
  expect(readFileSync(join(folder, 'models/a')).subarray(5, 9).toString('hex')).toBe(store.keyId);
  expect(await both.reseal('models/a')).toBe(true);
  expect(await both.reseal('models/a')).toBe(false);
  expect(await both.reseal('models/none')).toBe(false);
  expect(text(await createObjectStore({ url: pathToFileURL(folder).href, keys: [newer] }).get('models/a'))).toBe('x');
  await expect(store.get('models/a')).rejects.toThrow(
    `another DATA_ENCRYPTION_KEY: key ${both.keyId}, where this process holds ${store.keyId}`,
  );
});

it('reports errors of the disk as errors of the store', async () => {
  writeFileSync(join(folder, 'file'), '');
  const url = pathToFileURL(join(folder, 'file')).href;
  const within = createObjectStore({ url, keys: [key] });
  for (const work of [
    () => within.put('a', bytes('x')),
    () => within.get('a'),
    () => within.list(''),
    () => within.delete('a/b'),
  ]) {
    const error: unknown = await work().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StoreUnavailable);
    expect(error).toMatchObject({
      reason: 'refused',
      message: expect.stringContaining('Name a folder in OBJECT_STORE_URL'),
    });
  }
});

it('loads the driver of S3 only if it is needed, in threads too', () => {
  const script = (url: string) => `
    import { registerHooks } from 'node:module';
    import { isMainThread, Worker } from 'node:worker_threads';
    const loaded = new Set();
    registerHooks({ load: (url, context, next) => (loaded.add(url), next(url, context)) });
    const { createObjectStore } = await import('./infra/drivers/objects/object-store.ts');
    await createObjectStore({ url: '${url}', keys: [new Uint8Array(32)] }).get('a').catch(() => null);
    console.log([...loaded].some((each) => each.includes('@aws-sdk')));
  `;
  const run = (url: string, inThread: boolean): string => {
    const code = script(url);
    const main = `import { Worker } from 'node:worker_threads'; new Worker(${JSON.stringify(code)}, { eval: true });`;
    const args = ['--input-type=module', '-e', inThread ? main : code];
    const cwd = fileURLToPath(new URL('../../', import.meta.url));
    return execFileSync(process.execPath, args, { cwd, encoding: 'utf8' }).trim();
  };
  // Nobody listens on port 1, and the process ends nevertheless.
  const s3 = 's3://bucket?region=us-east-1&endpoint=http://127.0.0.1:1';
  expect([run(pathToFileURL(folder).href, false), run(s3, false), run(s3, true)]).toEqual(['false', 'true', 'true']);
});
