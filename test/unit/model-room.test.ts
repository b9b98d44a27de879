import { expect, it } from 'vitest';
import { requireModelRoom } from '../../api/use-cases/require-model-room.ts';
import { limits } from '../../infra/contract/limits.ts';

const gibibyte = 1024 ** 3;
const batch = (trials: number, bytes = trials) => ({ trials, bytes });

it('takes batches up to the limits of a model', () => {
  expect(() => requireModelRoom([batch(4_096)], limits.trialsPerModel - 4_096)).not.toThrow();
  expect(() => requireModelRoom([], 4_096)).not.toThrow();
});

it.each([
  [
    'trials',
    [batch(249_990)],
    20,
    '10 of the 20 trials of this batch still fit: send these, or fit the model as it is.',
  ],
  ['bytes', [batch(1_000, 15.5 * gibibyte)], 40, '32 of the 40 trials of this batch still fit'],
  ['trials, all taken', [batch(250_000)], 1, 'No further trial fits: fit the model as it is.'],
  ['batches', Array.from({ length: 10_000 }, () => batch(1)), 1, 'No further trial fits'],
])('refuses a batch beyond the %s and says what still fits', (_, batches, trials, says) => {
  expect(() => requireModelRoom(batches, trials)).toThrow(
    expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE', message: expect.stringContaining(says) }),
  );
});
