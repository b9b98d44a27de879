import { expect, it } from 'vitest';
import { committed, createRatios, predictionToEcho, tolerance } from '../bench/guard.ts';

// Ratios of processor time, not seconds: what else runs on the machine takes its time from both sides.

it('a prediction takes no more of the processors, in echoes of the same body, than was committed', async () => {
  const bar = committed().predictionToEcho * tolerance;
  expect(await predictionToEcho(bar)).toBeLessThanOrEqual(bar);
});

it('a create takes no more of the processors than was committed, beside plain arithmetic and beside the peers', () => {
  const { createToLoop, peersToCreate } = committed();
  const measured = createRatios(createToLoop * tolerance);
  expect(measured.createToLoop).toBeLessThanOrEqual(createToLoop * tolerance);
  if (measured.peersToCreate === null || peersToCreate === null) return;
  expect(measured.peersToCreate).toBeGreaterThanOrEqual(peersToCreate / tolerance);
});
