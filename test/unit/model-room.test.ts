import { expect, it } from 'vitest';
import { requireModelRoom } from '../../api/use-cases/require-model-room.ts';
import { limits } from '../../infra/contract/limits.ts';

const gibibyte = 1024 ** 3;
const names = Array.from({ length: limits.classesPerModel }, (_, at) => `class ${at}`);
const labels = (trials: number) => Array.from({ length: trials }, (_, trial) => (trial % 2 ? 'left' : 'right'));
const holding = (trials: number, { bytes = trials, batches = 1, classes = ['left', 'right'] } = {}) => ({
  trials,
  bytes,
  batches,
  first: { featuresRef: 'first', trials, bytes },
  trialsPerClass: Object.fromEntries(classes.map((name) => [name, 5])),
});

it('accepts batches up to the limits of a model', () => {
  expect(() => requireModelRoom(holding(4_096), labels(limits.trialsPerModel - 4_096))).not.toThrow();
  expect(() => requireModelRoom(holding(4_096, { classes: names }), names)).not.toThrow();
});

it.each([
  [
    'trials',
    holding(249_990),
    20,
    '10 of the 20 trials of this batch still fit: send these, or fit the model as it is.',
  ],
  ['bytes', holding(1_000, { bytes: 15.5 * gibibyte }), 40, '32 of the 40 trials of this batch still fit'],
  ['trials, all taken', holding(250_000), 1, 'No further trial fits: fit the model as it is.'],
  ['batches', holding(10_000, { batches: 10_000 }), 1, 'No further trial fits'],
])('refuses a batch beyond the %s and says what still fits', (_, totals, trials, says) => {
  expect(() => requireModelRoom(totals, labels(trials))).toThrow(
    expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE', message: expect.stringContaining(says) }),
  );
});

it.each([
  ['classes', names, ['one more'], '1,001 classes'],
  ['bytes of names', names.slice(0, 250), names.slice(250, 400).map((name) => name.padEnd(200, '漢')), '400 classes'],
])('refuses a batch that brings too many %s', (_, classes, more, says) => {
  expect(() => requireModelRoom(holding(5_000, { classes }), more)).toThrow(
    expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE', message: expect.stringContaining(says) }),
  );
});
