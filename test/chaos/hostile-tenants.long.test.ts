import { expect, it } from 'vitest';
import { memoryLimit, underAttack } from '../support/hostile-tenants.ts';

/** Of the memory before the attack. */
const enough = 1.2;

it('three hostile accounts end no process, and their memory comes back', { timeout: 400_000 }, async ({ skip }) => {
  const outcome = await underAttack(60, { pinned: false, enough });
  const seen = typeof outcome === 'string' ? skip(outcome) : outcome;
  expect(seen.killed).toBe(0);
  expect(seen.resident.most).toBeLessThan(memoryLimit);
  expect(seen.resident.after).toBeLessThan(enough * seen.resident.before);
  expect(seen.attacked.creates.length).toBeGreaterThan(0);
  expect(seen.attacked.predictions.length).toBeGreaterThan(0);
  expect(seen.answers['200']).toBeGreaterThan(0);
  expect(seen.answers['500']).toBeUndefined();
});
