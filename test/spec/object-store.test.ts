import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ObjectConflict, type ByteStore } from '../../infra/drivers/objects/bytes.ts';
import { sealedStore } from '../../infra/drivers/objects/object-store.ts';
import { storePlaces, type StorePlace } from '../support/byte-stores.ts';
import { runs } from '../support/counts.ts';
import { s3StartMs } from '../support/s3-programs.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (found: { bytes: Uint8Array } | null): string | null => found && new TextDecoder().decode(found.bytes);

describe.each(Object.entries(storePlaces))('bytes by name in %s', (_, openPlace) => {
  let place: StorePlace | null = null;
  let store: ByteStore;
  const names = async (prefix: string, after?: string): Promise<string[]> => {
    const found: string[] = [];
    for await (const page of store.pages(prefix, after)) found.push(...page.map(({ name }) => name));
    return found;
  };

  beforeAll(async () => {
    place = await openPlace();
  }, s3StartMs);
  afterAll(() => place?.close());
  beforeEach(({ skip }) => {
    if (!place) {
      skip();
      return;
    }
    store = place.open({ pageSize: 7 });
  });

  it('are returned unchanged, the last put wins, and a missing object is null', async () => {
    expect(await store.get('models/clf_1')).toBeNull();
    await store.put('models/clf_1', bytes('one'));
    await store.put('models/clf_1', bytes('two'));
    expect(text(await store.get('models/clf_1'))).toBe('two');
    await store.put('models/empty', new Uint8Array(0));
    expect((await store.get('models/empty'))!.bytes).toHaveLength(0);
  });

  it('are returned unchanged if they are large, which S3 stores in parts', async () => {
    const large = randomBytes(20_000_000);
    const name = `models/clf_${'0'.repeat(32)}/large`;
    await store.put(name, large, 'nothing');
    expect(large.equals((await store.get(name))!.bytes)).toBe(true);
    await expect(store.put(name, large, 'nothing')).rejects.toBeInstanceOf(ObjectConflict);
    expect(await store.removeDrafts(new Date(Date.now() + 3_600_000))).toBe(0);
  });

  it('with the condition that none exists are put only if there is none', async () => {
    await store.put('features/a', bytes('first'), 'nothing');
    await expect(store.put('features/a', bytes('second'), 'nothing')).rejects.toBeInstanceOf(ObjectConflict);
    expect(text(await store.get('features/a'))).toBe('first');
    await store.delete(['features/a']);
    await store.put('features/a', bytes('third'), 'nothing');
    expect(text(await store.get('features/a'))).toBe('third');
  });

  it('with the condition of a version are put only if that version still exists', async () => {
    await store.put('models/a', bytes('read'));
    const read = (await store.get('models/a'))!;
    await store.put('models/a', bytes('meanwhile'));
    await expect(store.put('models/a', bytes('late'), read)).rejects.toBeInstanceOf(ObjectConflict);
    const now = (await store.get('models/a'))!;
    await store.put('models/a', bytes('in time'), now);
    expect(text(await store.get('models/a'))).toBe('in time');
    await store.delete(['models/a']);
    await expect(store.put('models/a', bytes('risen'), now)).rejects.toBeInstanceOf(ObjectConflict);
    expect(await store.get('models/a')).toBeNull();
  });

  it('of concurrent puts with the condition that none exists, one succeeds and stays', async () => {
    const puts = Array.from({ length: 8 }, (_, i) => store.put('fits/raced', bytes(`put ${i}`), 'nothing'));
    const ended = await Promise.allSettled(puts);
    const taken = ended.flatMap(({ status }, i) => (status === 'fulfilled' ? [`put ${i}`] : []));
    expect(taken).toHaveLength(1);
    expect(text(await store.get('fits/raced'))).toBe(taken[0]);
    for (const each of ended) if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(ObjectConflict);
  });

  it('are listed in order of names, page by page, by prefix and after a name', async () => {
    const all = ['l/a-b', 'l/a.c', 'l/a/b', 'l/a/c', 'l/a_d', 'l/b', ...numbered('m', 20)];
    await Promise.all(all.toReversed().map((name) => store.put(name, bytes(name))));
    expect(await names('')).toEqual(all);
    expect(await names('l/')).toEqual(all.slice(0, 6));
    expect(await names('l/a/')).toEqual(['l/a/b', 'l/a/c']);
    expect(await names('l/a')).toEqual(all.slice(0, 5));
    expect(await names('none/')).toEqual([]);
    for (const [at, name] of all.entries()) expect(await names('', name)).toEqual(all.slice(at + 1));
    expect(await names('', 'l/a/bb')).toEqual(all.slice(3));
    expect(await names('m/', 'l/zzz')).toEqual(all.slice(6));
    const [{ modifiedAt }] = (await store.pages('l/')[Symbol.asyncIterator]().next()).value!;
    expect(Math.abs(Date.now() - modifiedAt.getTime())).toBeLessThan(60_000);
  });

  it('are deleted together and one by one, also if they are already gone', async () => {
    const all = numbered('d', 20);
    await Promise.all(all.map((name) => store.put(name, bytes(name))));
    await store.delete(['d/none']);
    await store.delete([]);
    await store.delete([...all.slice(0, 15), 'd/none']);
    expect(await names('d/')).toEqual(all.slice(15));
    await store.delete([all[15]!]);
    expect(await names('')).toEqual(all.slice(16));
  });

  it('are put and deleted under one prefix at the same time', async () => {
    await Promise.all(
      numbered('fits/m', runs(40, 400)).map(async (name, i) => {
        await store.put(name, bytes(name));
        if (i % 2) await store.delete([name]);
      }),
    );
    expect(await names('fits/')).toHaveLength(runs(20, 200));
  });

  it('are sealed: created once, sealed again unless another process was faster, deleted by prefix', async () => {
    const [former, newest] = [randomBytes(32), randomBytes(32)];
    const before = sealedStore(store, [former]);
    const after = sealedStore(store, [newest, former]);
    await before.create('models/m1/a', bytes('canary waveform'));
    await expect(before.create('models/m1/a', bytes('other'))).rejects.toBeInstanceOf(ObjectConflict);
    expect(Buffer.from((await store.get('models/m1/a'))!.bytes).includes('canary')).toBe(false);
    expect([await after.reseal('models/m1/a'), await after.reseal('models/m1/a')]).toEqual([true, false]);
    expect(new TextDecoder().decode(await after.get('models/m1/a'))).toBe('canary waveform');
    await before.put('models/m10/b', bytes('x'));
    await after.deletePrefix('models/m1/');
    expect(await names('')).toEqual(['models/m10/b']);
    await after.probe('staged/probe');
    expect(await names('')).toEqual(['models/m10/b']);
  });
});

const numbered = (folder: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `${folder}/${String(i).padStart(4, '0')}`);
