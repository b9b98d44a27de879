import { describe, expect, it } from 'vitest';
import { leastLength } from '../../ml/features/index.ts';
import { controlSets, methodOf, methods } from '../../ml/methods/index.ts';
import { select } from '../../ml/select/index.ts';
import type { DatasetShape, TaskKind } from '../../ml/types.ts';

const shape = (seconds: number, channels: number, over: Partial<DatasetShape> = {}): DatasetShape => ({
  kind: 'other',
  channelNames: Array.from({ length: channels }, (_, i) => `E${i + 1}`),
  sourceRateHz: 256,
  samples: Math.round(256 * seconds),
  seconds,
  trials: 120,
  classes: ['a', 'b', 'c'],
  trialsPerClass: [40, 40, 40],
  sessions: 1,
  storedFeaturesOnly: false,
  missingChannels: 'nearest',
  ...over,
});

const ids = (data: DatasetShape): string[] => select(data).candidates.map(({ id }) => id);

/** A method of each representation, its least length in seconds, and the need that it follows from. */
const representations = [
  ['tangent-logistic', 0.084, '4 independent values, and a band of 24 Hz has 48 in a second'],
  ['tangent-wide-logistic', 0.056, '4 independent values, and a band of 36 Hz has 72 in a second'],
  ['filter-bank-tangent', 0.5, '4 independent values, and a band of 4 Hz has 8 in a second'],
  ['augmented-tangent-logistic', 0.75, '1.5 periods of 8 Hz for each of up to 4 delayed copies'],
  ['windowed-means-lda', 0.1, '2 windows of 0.05 s'],
  ['fine-means-lda', 0.1, '4 windows of 0.025 s'],
  ['class-templates', 0.2, '8 cosines in a band of 20 Hz'],
  ['slow-potentials-lda', 0.5, '2 windows of 0.25 s'],
  ['log-power-logistic', 0.5, 'a resolution of 2 Hz'],
  ['log-spectrum-logistic', 1, 'a resolution of 1 Hz'],
] as const;
const lengths = [0.05, 0.06, 0.09, 0.1, 0.2, 0.25, 0.375, 0.4375, 0.5, 0.75, 1] as const;
/** Methods that need two channels or more, and those that read at most 64. */
const severalChannels = new Set(['tangent-logistic', 'tangent-wide-logistic', 'filter-bank-tangent']);
const atMost64 = new Set(['augmented-tangent-logistic']);

describe('the least length of a trial', () => {
  it.each(lengths.flatMap((seconds) => [1, 8, 64, 128].map((channels) => [seconds, channels] as const)))(
    'of %d s with %i channels follows from each representation',
    (seconds, channels) => {
      const tried = ids(shape(seconds, channels));
      const expected = representations.filter(
        ([id, least]) =>
          seconds >= least && !(severalChannels.has(id) && channels < 2) && !(atMost64.has(id) && channels > 64),
      );
      expect(representations.filter(([id]) => tried.includes(id))).toEqual(expected);
    },
  );

  it.each(representations)('is named in the reason, with the need: %s from %d s', (id, least, why) => {
    const check = methodOf(id).unreadable;
    expect(check(shape(least, 8))).toBeNull();
    expect(check(shape(0.01, 8))).toBe(`needs trials of at least ${least} s (${why}); these are 0.01 s`);
  });

  it('leaves trials of 0.375 s the methods of trials of 0.4375 s', () => {
    for (const kind of ['motor', 'erp', 'other', 'sleep'] satisfies TaskKind[])
      for (const channels of [8, 64])
        expect(ids(shape(0.375, channels, { kind }))).toEqual(ids(shape(0.4375, channels, { kind })));
  });

  it('of a covariance grows where a low rate leaves little of the band', () => {
    expect(leastLength('cov/8-32', { sourceRateHz: 256 })?.seconds).toBe(0.084);
    expect(leastLength('cov/8-32', { sourceRateHz: 40 })?.seconds).toBe(0.2);
  });

  it('of flicker and of controls stays as it was', () => {
    const rate = { sourceRateHz: 256 };
    const sets = ['ssvep/9,12', 'cca/9,12', 'fbcca/9,12', 'eyes', 'eyes/cov', 'muscles', 'muscles/cov', 'mains'];
    expect(sets.map((set) => leastLength(set, rate)?.seconds)).toEqual([1, 0.5, 0.5, 0.75, 0.75, 0.25, 0.25, 0.25]);
  });

  it('is known of every feature set that is computed from the trial alone', () => {
    const data = shape(4, 8, { frequenciesHz: [9, 12, 15] });
    const sets = [...new Set([...methods.flatMap((method) => method.featureSets(data)), ...controlSets(data)])];
    expect(sets.length).toBeGreaterThan(12);
    expect(sets.filter((set) => !leastLength(set, data))).toEqual([]);
  });
});
