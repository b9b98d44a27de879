import { expect, it } from 'vitest';
import { committed, createRatios, predictionToEcho, tolerance } from '../bench/guard.ts';

// Ratios of processor time, not seconds: what else runs on the machine takes its time from both sides.

it('a prediction takes no more CPU time, relative to an echo of the same body, than the committed number', async () => {
  const bar = committed().predictionToEcho * tolerance;
  expect(await predictionToEcho(bar)).toBeLessThanOrEqual(bar);
});

it('a create takes no more CPU time, relative to plain arithmetic and to the peers, than the committed number', () => {
  const { createToLoop, peersToCreate } = committed();
  const measured = createRatios(createToLoop * tolerance);
  expect(measured.createToLoop).toBeLessThanOrEqual(createToLoop * tolerance);
  if (measured.peersToCreate === null || peersToCreate === null) return;
  expect(measured.peersToCreate).toBeGreaterThanOrEqual(peersToCreate / tolerance);
});
