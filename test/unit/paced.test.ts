import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { paced } from '../../api/http/paced.ts';

const pace = { bytesPerSecond: 1024 * 1024, patienceSeconds: 0.05 };

it('does not count the time before its reader starts: a late answer is still complete', async () => {
  const stream = paced(new Uint8Array(300_000), pace);
  await sleep(200);
  let read = 0;
  for await (const chunk of stream) read += (chunk as Uint8Array).length;
  expect(read).toBe(300_000);
});

it('disconnects a reader that begins and then takes nothing more', async () => {
  const stream = paced(new Uint8Array(300_000), pace);
  const failed = new Promise<Error>((resolve) => stream.once('error', resolve));
  stream.once('data', () => stream.pause());
  expect((await failed).message).toMatch(/^The reader took \d+ of 300000 bytes and paused\.$/);
});
