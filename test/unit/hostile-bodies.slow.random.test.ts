import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiPool } from '../../api/threads/pool.ts';
import { createThreads, type ApiThreads } from '../../api/threads/client.ts';
import { hostileBodies, largestReadable } from '../support/hostile-bodies.ts';

const objects = { url: 'file:///nonexistent', keys: [new Uint8Array(32)] };
const pool = (heapMebibytes?: number) =>
  createApiPool({ objects }, { size: 1, quickThreads: 0, ...(heapMebibytes ? { heapMebibytes } : {}) });
const read = (threads: ApiThreads, body: Buffer) => threads.intake('a', { body: new Uint8Array(body), what: 'create' });

describe('a body of 20 MB whose lists and texts would take hundreds in memory', () => {
  const small = pool(128);
  const threads = createThreads(small);
  beforeAll(() => threads.hash('a', { body: new Uint8Array(1) }));
  afterAll(() => small.close());

  it.each(hostileBodies)(
    'of $name is refused by a thread of little memory, before it is given up',
    async ({ make }) => {
      const { body, code, field, says } = make(20_000_000);
      const result = await read(threads, body);
      if (result.ok) throw new Error('The body was accepted.');
      const { error } = result;
      expect([error.code, error.field.split(/[.[]/)[0]], error.message.slice(0, 300)).toEqual([code, field]);
      expect(error.message).toContain(says);
    },
  );
});

describe('a body with the maximal number of values', () => {
  const usual = pool();
  const threads = createThreads(usual);
  afterAll(() => usual.close());

  it.each(largestReadable)('of $name is read within the memory of a thread', async ({ make }) => {
    const result = await read(threads, make());
    expect(result.hash).toMatch(/^[0-9a-f]{64}$/);
  });
});
