import { describe, expect, it } from 'vitest';
import { select } from '../../ml/select/index.ts';
import { featureSet } from '../../ml/features/index.ts';
import { controlSets, methods } from '../../ml/methods/index.ts';
import type { DatasetShape } from '../../ml/types.ts';

const shape = (over: Partial<DatasetShape> = {}): DatasetShape => ({
  kind: 'motor',
  channelNames: ['C3', 'Cz', 'C4'],
  sourceRateHz: 250,
  samples: 1024,
  seconds: 4,
  trials: 80,
  classes: ['left', 'right'],
  trialsPerClass: [40, 40],
  sessions: 1,
  storedFeaturesOnly: false,
  missingChannels: 'nearest',
  ...over,
});

const warned = (data: DatasetShape): string[] => select(data).findings.map(({ message }) => message);

describe('selection from the shape alone', () => {
  it('tries or skips every method of the registry exactly once, each skip with its reason', () => {
    for (const kind of ['erp', 'motor', 'sleep', 'other'] as const) {
      const { candidates, skipped } = select(shape({ kind }));
      expect([...candidates, ...skipped].map(({ id }) => id).sort()).toEqual(methods.map(({ id }) => id).sort());
      expect(candidates.length).toBeGreaterThan(0);
      for (const { reason } of skipped) expect(reason.length).toBeGreaterThan(10);
    }
  });

  it('names the feature sets of the candidates, of the controls and of the artefact search, each once', () => {
    const { candidates, featureSets } = select(shape());
    expect(new Set(featureSets).size).toBe(featureSets.length);
    const needed = methods
      .filter(({ id }) => candidates.some((row) => row.id === id))
      .flatMap((method) => method.featureSets(shape()));
    expect(new Set(featureSets)).toEqual(new Set([...needed, ...controlSets(shape()), 'loudness']));
  });

  it('does not advise on a motor data set of the recommended length and size', () => {
    expect(warned(shape())).toEqual([]);
  });

  it('advises on trial length with the numbers involved', () => {
    expect(warned(shape({ seconds: 1, samples: 256 })).join(' ')).toMatch(/1 s are short.*0 to 4 s/);
    expect(warned(shape({ kind: 'sleep' })).join(' ')).toMatch(/30 s scoring epochs/);
    expect(warned(shape({ kind: 'erp', seconds: 4 })).join(' ')).toMatch(/long.*0 to 1 s/);
  });

  it('advises on few trials, unbalanced classes, a missing motor cortex and a low rate', () => {
    expect(warned(shape({ trialsPerClass: [10, 40], trials: 50 })).join(' ')).toMatch(/left 10.*unbalanced/s);
    expect(warned(shape({ channelNames: ['O1', 'O2'] })).join(' ')).toMatch(
      /0 of 2 channels lie over the motor cortex/,
    );
    expect(warned(shape({ sourceRateHz: 50 })).join(' ')).toMatch(/nothing above 25 Hz/);
  });

  it('advises on one channel, and on flicker without the visual cortex or with trials too short to resolve it', () => {
    expect(warned(shape({ channelNames: ['Cz'] })).join(' ')).toMatch(/One channel \(Cz\)/);
    const flicker = warned(shape({ kind: 'other', seconds: 1, samples: 256, frequenciesHz: [13, 13.5, 17] })).join(' ');
    expect(flicker).toMatch(/visual cortex.*13, 13\.5, 17 Hz/);
    expect(flicker).toMatch(/resolve 1 Hz.*0\.5 Hz apart.*2 s or longer/);
    expect(warned(shape({ kind: 'other', channelNames: ['O1', 'Oz', 'O2'], frequenciesHz: [13, 17] }))).toEqual([]);
  });

  it('reads stored sets in a deferred fit, and leaves out no method that an immediate fit tries', () => {
    const three = { classes: ['a', 'b', 'c'], trialsPerClass: [20, 20, 20], trials: 60 };
    const erp = { kind: 'erp', seconds: 1, samples: 256, ...three } as const;
    const [immediate, deferred] = [false, true].map((storedFeaturesOnly) =>
      select(shape({ ...erp, storedFeaturesOnly })),
    );
    expect(deferred!.candidates).toEqual(immediate!.candidates);
    expect(immediate!.featureSets).toContain('cosines/60');
    expect(deferred!.featureSets).toContain('erp/windows/40');
    expect(deferred!.featureSets.filter((id) => !featureSet(id).storable)).toEqual([]);
  });

  it('tries only methods for evoked responses on two evoked responses', () => {
    const reasons = (more: Partial<DatasetShape>) =>
      select(shape({ kind: 'erp', seconds: 1, samples: 256, ...more }))
        .skipped.filter(({ id }) => ['ensemble-trca', 'class-templates'].includes(id))
        .map(({ reason }) => reason);
    expect(reasons({})).toEqual([expect.stringMatching(/many evoked/), expect.stringMatching(/many evoked/)]);
    expect(reasons({ classes: ['a', 'b', 'c'], trialsPerClass: [20, 20, 20], trials: 60 })).toEqual([]);
  });

  it('averages the members that can read the data, two at least', () => {
    const frequenciesHz = Array.from({ length: 40 }, (_, i) => 8 + 0.2 * i);
    const classes = frequenciesHz.map((hz) => `${hz} Hz`);
    const many = shape({ kind: 'other', classes, trialsPerClass: classes.map(() => 6), trials: 240, frequenciesHz });
    const { candidates } = select(many);
    expect(candidates.find(({ id }) => id === 'average-ssvep')!.members).toEqual([
      'filter-bank-cca-lda',
      'filter-bank-cca-rule',
      'filter-bank-tangent',
      'ensemble-trca',
    ]);
    expect(candidates.some(({ id }) => id === 'ssvep-mdm')).toBe(false);
    const short = select({ ...many, seconds: 0.4, samples: 102 });
    expect(short.skipped.find(({ id }) => id === 'average-ssvep')!.reason).toMatch(/averages 5 .* needs 2 .*; 1 can/);
  });
});
