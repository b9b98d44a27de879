import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createWorkspace, methodOf } from '../../ml/methods/index.ts';
import type { TrainingData } from '../../ml/train/index.ts';

interface Golden {
  readonly classes: number;
  readonly channels: number;
  readonly labels: readonly number[];
  readonly train: readonly number[];
  readonly vectors: readonly number[];
  readonly 'cov/8-32': readonly number[];
  /** Decisions of the held-out trials less what all classes share, [trials × classes]. */
  readonly results: Readonly<Record<string, readonly number[]>>;
}

/** Made by golden/make_many_classes.py with scikit-learn and pyRiemann. */
const golden = JSON.parse(
  readFileSync(new URL('golden/many-classes.json', import.meta.url), 'utf8'),
) as readonly Golden[];

/** Largest difference of a decision, relative to the largest of all. */
const bounds: Readonly<Record<string, number>> = {
  'windowed-means-lda': 1e-6,
  'log-power-logistic': 1e-4,
  'log-power-ridge': 1e-5,
  mdm: 1e-4,
  'tangent-logistic': 1e-4,
  'tangent-ridge': 1e-5,
};

function dataOf(set: Golden): TrainingData {
  const vectors = Float64Array.from(set.vectors);
  return {
    features: {
      trials: set.labels.length,
      shape: {
        channels: set.channels,
        samples: 256,
        rateHz: 256,
        sourceRateHz: 256,
        channelNames: ['C3', 'Cz', 'C4', 'CPz'],
      },
      versions: {},
      sets: { 'cov/8-32': Float64Array.from(set['cov/8-32']), logpower: vectors, 'erp/windows': vectors },
    },
    labels: Int32Array.from(set.labels),
    classes: Array.from({ length: set.classes }, (_, k) => `class ${k}`),
    sessions: null,
  };
}

describe.each(golden)('$classes classes, against scikit-learn and pyRiemann', (set) => {
  const { classes } = set;
  const data = dataOf(set);
  const rows = Int32Array.from(set.train);
  const held = Int32Array.from(set.labels.keys()).filter((row) => !set.train.includes(row));

  test.each(Object.entries(set.results))('%s decides alike on trials held out', (id, theirs) => {
    const workspace = createWorkspace();
    const method = methodOf(id);
    const own = method.decide(method.fit({ data, rows, workspace }), data.features, held, workspace);
    expect(own.length).toBe(theirs.length);
    const largest = theirs.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    let worst = 0;
    for (let at = 0; at < own.length; at += classes) {
      const mean = own.subarray(at, at + classes).reduce((sum, value) => sum + value, 0) / classes;
      for (let k = at; k < at + classes; k += 1) worst = Math.max(worst, Math.abs(own[k]! - mean - theirs[k]!));
    }
    expect(worst / largest).toBeLessThan(bounds[id]!);
  });
});
