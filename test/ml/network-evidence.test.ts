import { expect, test } from 'vitest';
import { movementCard } from '../../ml/encoders/movement/index.ts';
import { networkEvidence } from '../../ml/reference-fits/network-evidence.ts';

const shape = { channelNames: ['C3', 'Cz', 'C4'], seconds: 4, sourceRateHz: 160 };

test('the evidence of the network is the score of a montage that the caller has in full', () => {
  const evidence = networkEvidence('left-right-fist-imagined', shape)!;
  const row = movementCard.scores.find(
    ({ head, montage, align }) => head === 'left_right_imagined' && montage === 'central3' && align === 'batch',
  )!;
  expect(evidence).toMatchObject({
    balancedAccuracy: row.balancedAccuracy,
    lowerBound: row.lowerBound95,
    warnings: [],
  });
});

test('other lengths than that of the measured trials are named in a warning', () => {
  const warnings = (seconds: number) => networkEvidence('left-right-fist-imagined', { ...shape, seconds })!.warnings;
  expect(warnings(4.5)).toEqual([]);
  for (const seconds of [2, 3, 8])
    expect(warnings(seconds)).toEqual([expect.stringContaining(`Yours of ${seconds} s`)]);
});

test('a head whose score with the montage is not above chance gives no evidence', () => {
  const weak = movementCard.scores.filter(({ align, lowerBound95 }) => align === 'batch' && lowerBound95 <= 0.5);
  expect(weak.map(({ head, montage }) => [head, montage])).toEqual([
    ['fists_feet_imagined', 'headset14'],
    ['fists_feet_imagined', 'central8'],
  ]);
  const evidenceAt = (at: number) =>
    networkEvidence('fists-feet-imagined', { ...shape, channelNames: weak[at]!.electrodes });
  expect(evidenceAt(0)).toBeNull();
  expect(evidenceAt(1)?.network?.montage, 'a smaller montage that is above chance').toBe('central2');
});
