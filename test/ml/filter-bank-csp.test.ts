import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createWorkspace, methodOf } from '../../ml/methods/index.ts';
import type { Head, TrainingData } from '../../ml/methods/types.ts';
import { relativeError } from './noise.ts';

interface Golden {
  readonly classes: number;
  readonly channels: number;
  readonly labels: readonly number[];
  readonly fbcov: readonly number[];
  /** The features that tell most, best first. */
  readonly kept: readonly number[];
  /** Of the trials i mod 4 = 0, less what all classes share. */
  readonly decisions: readonly number[];
}

/** Made by golden/make_filter_bank.py with MNE, pyRiemann, SciPy and scikit-learn. */
const golden = JSON.parse(
  readFileSync(new URL('golden/filter-bank.json', import.meta.url), 'utf8'),
) as readonly Golden[];

describe.each(golden)('filter-bank common spatial patterns of $classes classes of unequal size', (set) => {
  const { classes, channels } = set;
  const data: TrainingData = {
    features: {
      trials: set.labels.length,
      shape: { channels, samples: 256, rateHz: 256, sourceRateHz: 256, channelNames: ['C3', 'Cz', 'C4', 'CPz'] },
      versions: {},
      sets: { fbcov: Float64Array.from(set.fbcov) },
    },
    labels: Int32Array.from(set.labels),
    classes: Array.from({ length: classes }, (_, k) => `class ${k}`),
    sessions: null,
  };
  const all = Int32Array.from(set.labels.keys());
  const workspace = createWorkspace();
  const method = methodOf('filter-bank-csp');
  const head = method.fit({ data, rows: all.filter((row) => row % 4 !== 0), workspace });

  test('keep the most informative features, as in SciPy', () => {
    expect([...((head['representation'] as Head)['kept'] as Int32Array)]).toEqual(set.kept);
  });

  test('decide as in MNE and scikit-learn on trials held out', () => {
    const held = all.filter((row) => row % 4 === 0);
    const own = method.decide(head, data.features, held, workspace);
    for (let at = 0; at < own.length; at += classes) {
      const mean = own.subarray(at, at + classes).reduce((sum, value) => sum + value, 0) / classes;
      for (let k = at; k < at + classes; k += 1) own[k]! -= mean;
    }
    expect(relativeError(own, set.decisions)).toBeLessThan(1e-5);
  });
});
