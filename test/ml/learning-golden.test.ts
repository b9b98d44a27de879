import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { balancedAccuracy, decisions } from '../../ml/evidence/scores.ts';
import { createWorkspace, methodOf } from '../../ml/methods/index.ts';
import type { TrainingData } from '../../ml/train/index.ts';

interface Golden {
  readonly classes: number;
  readonly labels: readonly number[];
  readonly channels: number;
  readonly epochChannels: number;
  readonly vectors: readonly number[];
  readonly results: Readonly<
    Record<string, { readonly balancedAccuracy: number; readonly decision: readonly number[] }>
  >;
  /** Matrices of side 12. */
  readonly stacked: readonly number[];
  readonly 'cov/8-32': readonly number[];
  readonly fbcov: readonly number[];
  readonly 'erp/windows/40': readonly number[];
}

/** Made by golden/make_learning.py with scikit-learn and pyRiemann, on folds i mod 5. */
const golden = JSON.parse(readFileSync(new URL('golden/learning.json', import.meta.url), 'utf8')) as readonly Golden[];

/** Margins agree to this, where both sides solve the same convex problem. */
const margin: Readonly<Record<string, number>> = {
  'tangent-logistic': 1e-4,
  'log-power-logistic': 1e-4,
  'windowed-means-lda': 1e-6,
  'tangent-elastic-net': 1e-4,
  'tangent-svm': 5e-3,
  'csp-lda': 1e-4,
  'tangent-wide-logistic': 1e-4,
  'augmented-tangent-logistic': 1e-4,
  'augmented-tangent-svm': 5e-3,
  'ssvep-tangent-logistic': 1e-4,
  'log-spectrum-logistic': 1e-4,
  'cca-lda': 1e-6,
};

/**
 * What our margins are of theirs: two machines give twice the margin of one, and the pooled covariance is divided by
 * n − K here and by n in scikit-learn.
 */
function scaleOf(id: string, fitted: number, classes: number): number {
  if (id.endsWith('-svm')) return 2;
  return id === 'csp-lda' ? (fitted - classes) / fitted : 1;
}

function dataOf(set: Golden, epochs: boolean): TrainingData {
  const channels = epochs ? set.epochChannels : set.channels;
  const channelNames = ['C3', 'Cz', 'C4', 'CP3', 'CPz', 'CP4'].slice(0, channels);
  const vectors = Float64Array.from(set.vectors);
  return {
    features: {
      trials: set.labels.length,
      shape: { channels, samples: epochs ? 32 : 256, rateHz: 256, sourceRateHz: 256, channelNames },
      versions: {},
      sets: {
        'cov/8-32': Float64Array.from(set['cov/8-32']),
        fbcov: Float64Array.from(set.fbcov),
        'erp/windows/40': Float64Array.from(set['erp/windows/40']),
        'cov/4-40': Float64Array.from(set['cov/8-32']),
        'acm/8-32': Float64Array.from(set.stacked),
        'ssvep/13,17': Float64Array.from(set.stacked),
        logpower: vectors,
        logspectrum: vectors,
        'erp/windows': vectors,
        'cca/13,17': vectors,
      },
    },
    labels: Int32Array.from(set.labels),
    classes: Array.from({ length: set.classes }, (_, k) => `class ${k}`),
    sessions: null,
  };
}

function folds(id: string, data: TrainingData): { accuracy: number; first: Float64Array } {
  const { labels, classes } = data;
  const method = methodOf(id);
  const out = new Float64Array(labels.length * classes.length);
  let first = new Float64Array(0);
  for (let fold = 0; fold < 5; fold += 1) {
    const all = Int32Array.from(labels.keys());
    const rows = all.filter((i) => i % 5 !== fold);
    const test = all.filter((i) => i % 5 === fold);
    const workspace = createWorkspace();
    const logScores = method.decide(method.fit({ data, rows, workspace }), data.features, test, workspace);
    if (fold === 0) first = Float64Array.from(logScores);
    test.forEach((row, i) =>
      out.set(logScores.subarray(i * classes.length, (i + 1) * classes.length), row * classes.length),
    );
  }
  return { accuracy: balancedAccuracy(decisions(out, classes.length), labels, classes.length), first };
}

golden.forEach((set, at) => {
  const name = ['two balanced classes', 'two unbalanced classes', 'three classes'][at]!;
  describe(`candidates on ${name}, against scikit-learn and pyRiemann on the same folds`, () => {
    test.each(Object.entries(set.results))(
      '%s has the same balanced accuracy to 0.01',
      (id, { balancedAccuracy: theirs, decision }) => {
        const { accuracy, first } = folds(id, dataOf(set, id.startsWith('xdawn') || id.startsWith('erp')));
        expect(Math.abs(accuracy - theirs), `${accuracy} against ${theirs}`).toBeLessThanOrEqual(0.01);
        const tolerance = margin[id];
        const fitted = set.labels.length - Math.ceil(set.labels.length / 5);
        const scale = scaleOf(id, fitted, set.classes);
        const theirDecisions = set.classes === 2 && tolerance !== undefined ? decision : [];
        theirDecisions.forEach((value, i) =>
          expect(Math.abs((first[2 * i + 1] - first[2 * i]) / scale - value)).toBeLessThan(
            tolerance! * (1 + Math.abs(value)),
          ),
        );
      },
    );
  });
});
