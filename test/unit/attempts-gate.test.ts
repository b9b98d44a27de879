import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createGate } from '../../activities/attempts/gate.ts';

const { signal } = new AbortController();
const shared = { alone: false, signal, patienceMs: Infinity };
const alone = { alone: true, signal, patienceMs: Infinity };

it('a job that runs alone waits for running jobs, and later jobs wait for it', async () => {
  const gate = createGate();
  const order: string[] = [];
  const [first, second] = await Promise.all([gate.enter(shared), gate.enter(shared)]);
  const third = gate.enter(alone).then((leave) => (order.push('alone'), leave!));
  const fourth = gate.enter(shared).then((leave) => (order.push('behind'), leave!));
  first!();
  await sleep(5);
  expect(order).toEqual([]);
  second!();
  const leave = await third;
  await sleep(5);
  expect(order).toEqual(['alone']);
  leave();
  (await fourth)();
  expect(order).toEqual(['alone', 'behind']);
});

it('a job that may return to the queue returns after a wait, and an aborted job leaves its place', async () => {
  const gate = createGate();
  const leave = (await gate.enter(shared))!;
  const abort = new AbortController();
  const waits = gate.enter({ ...alone, signal: abort.signal });
  expect(await gate.enter({ ...shared, patienceMs: 5 })).toBeNull();
  abort.abort(new Error('The worker stops.'));
  await expect(waits).rejects.toThrow('The worker stops.');
  const beside = (await gate.enter({ ...shared, patienceMs: 5 }))!;
  for (const end of [leave, beside]) end();
  expect(await gate.enter(alone)).toBeTypeOf('function');
});
