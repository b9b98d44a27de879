import { setImmediate as soon } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createTurns } from '../../activities/reference-fits/fit-people.ts';

it('runs two at a time, in order, and continues after a failure and after an abort', async () => {
  const inTurn = createTurns(2);
  const begun: number[] = [];
  const ends: PromiseWithResolvers<void>[] = [];
  const away = new AbortController();
  const ask = (name: number, signal = new AbortController().signal): Promise<void> =>
    inTurn(signal, async () => {
      begun.push(name);
      await (ends[name] = Promise.withResolvers<void>()).promise;
    });
  const all = Promise.allSettled([ask(0), ask(1), ask(2, away.signal), ask(3), ask(4)]);
  await soon();
  expect(begun).toEqual([0, 1]);
  away.abort();
  ends[0].reject(new Error('broken'));
  await soon();
  expect(begun).toEqual([0, 1, 3]);
  ends[1].resolve();
  await soon();
  expect(begun).toEqual([0, 1, 3, 4]);
  for (const name of [3, 4]) ends[name].resolve();
  expect((await all).map(({ status }) => status)).toEqual([
    'rejected',
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
  ]);
});
