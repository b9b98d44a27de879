import { once } from 'node:events';
import { expect, it } from 'vitest';
import { Downloads } from '../../api/account/http/downloads.ts';

async function* endless(ended: () => void): AsyncGenerator<string> {
  try {
    for (;;) yield 'x'.repeat(32_768);
  } finally {
    ended();
  }
}

async function* short(): AsyncGenerator<string> {
  yield 'all ';
  yield 'of it';
}

it('an account has one download at a time, until its stream is closed', async () => {
  const downloads = new Downloads({ bytesPerSecond: 1, patienceSeconds: 600 });
  let ended = false;
  const first = downloads.start(
    'a',
    endless(() => (ended = true)),
  );
  await once(first, 'readable');
  const refused = expect.objectContaining({ code: 'CONCURRENCY_LIMITED', retryAfterSeconds: 5 });
  expect(() => downloads.start('a', short())).toThrow(refused);
  expect(await downloads.start('b', short()).setEncoding('utf8').toArray()).toEqual(['all ', 'of it']);
  first.destroy();
  await once(first, 'close');
  expect(ended).toBe(true);
  expect((await downloads.start('a', short()).toArray()).join('')).toBe('all of it');
});

it('a reader that takes nothing is disconnected, and the producer of the answer ends', async () => {
  const downloads = new Downloads({ bytesPerSecond: 1e9, patienceSeconds: 0.02 });
  const ended = Promise.withResolvers<void>();
  const stream = downloads.start('a', endless(ended.resolve));
  await once(stream, 'readable');
  const [error] = await once(stream, 'error');
  expect(error.message).toMatch(/took \d+ bytes and paused/);
  await ended.promise;
});
