import { expect, it } from 'vitest';
import { createScoreCache } from '../../activities/fit/score-cache.ts';

/** A store of which puts can be made to wait or to fail. */
function aStore() {
  const kept = new Map<string, Uint8Array>();
  const store = { before: async (): Promise<void> => undefined };
  const objects = {
    async put(name: string, bytes: Uint8Array) {
      await store.before();
      kept.set(name, bytes);
    },
    get: async (name: string) => kept.get(name)!,
  };
  return { kept, store, objects };
}

const [first, second] = [Uint8Array.of(1), Uint8Array.of(2)];

it('scores are read from memory, and stored on request', async () => {
  const { kept, objects } = aStore();
  await using scores = createScoreCache(objects);
  scores.put('a', first);
  expect(kept.size).toBe(0);
  expect(await scores.get('a')).toBe(first);
  await scores.store();
  expect([...kept]).toEqual([['a', first]]);
  expect(await scores.get('a')).toBe(first);
  scores.put('b', second);
  await scores.store();
  expect([...kept.keys()]).toEqual(['a', 'b']);
});

it('scores that could not be stored are stored the next time', async () => {
  const { kept, store, objects } = aStore();
  await using scores = createScoreCache(objects);
  scores.put('a', first);
  store.before = () => Promise.reject(new Error('The store was away.'));
  await expect(scores.store()).rejects.toThrow('away');
  expect(await scores.get('a')).toBe(first);
  store.before = async () => undefined;
  await scores.store();
  expect([...kept.keys()]).toEqual(['a']);
});

it('its end waits for a running write, and nothing is stored afterwards', async () => {
  const { kept, store, objects } = aStore();
  const scores = createScoreCache(objects);
  scores.put('a', first);
  const open = Promise.withResolvers<void>();
  store.before = () => open.promise;
  const storing = scores.store();
  await new Promise(setImmediate);
  scores.put('b', second);
  let ended = false;
  const end = scores[Symbol.asyncDispose]().then(() => (ended = true));
  await new Promise(setImmediate);
  expect(ended).toBe(false);
  open.resolve();
  await Promise.all([storing, end]);
  await scores.store();
  expect([...kept.keys()]).toEqual(['a']);
});

it('scores that an earlier attempt stored are read from the store', async () => {
  const { kept, objects } = aStore();
  kept.set('a', first);
  await using scores = createScoreCache(objects);
  expect(await scores.get('a')).toBe(first);
});
