import { expect, it } from 'vitest';
import { memoryLimit, underAttack } from '../support/hostile-tenants.ts';

/** Memory may stay this much above that before the attack, which itself differs by more than half of it. */
const above = 200 * 1024 ** 2;

it('three hostile accounts end no process, and their memory comes back', { timeout: 400_000 }, async ({ skip }) => {
  const outcome = await underAttack(60, { pinned: false, above });
  const seen = typeof outcome === 'string' ? skip(outcome) : outcome;
  expect(seen.killed).toBe(0);
  expect(seen.resident.most).toBeLessThan(memoryLimit);
  expect(seen.resident.after).toBeLessThanOrEqual(seen.resident.before + above);
  expect(seen.attacked.creates.length).toBeGreaterThan(0);
  expect(seen.attacked.predictions.length).toBeGreaterThan(0);
  const { 200: done = 0, 201: created = 0 } = seen.answers;
  expect(done + created).toBeGreaterThan(0);
  expect(seen.answers['500']).toBeUndefined();
});
