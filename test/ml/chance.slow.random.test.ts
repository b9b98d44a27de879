import { expect, test } from 'vitest';
import { createRandom, shuffle } from '../../ml/random.ts';
import { trainClassifier } from '../../ml/train/index.ts';
import { runs, seed } from '../support/counts.ts';
import { simulated } from './simulated.ts';

const few = ['tangent-logistic', 'tangent-ridge', 'csp-lda', 'log-power-logistic', 'windowed-means-ridge'];

test('shuffled labels give chance in the corrected score', () => {
  const count = runs(8, 64);
  const base = seed();
  const corrected = Array.from({ length: count }, (_, run) => {
    const sample = simulated({ count: 40, strength: 1.5, seed: base + run });
    const labels = shuffle([...sample.labels.keys()], createRandom(base + run)).map((row) => sample.labels[row]!);
    const report = trainClassifier(sample.trials, labels, null, { kind: 'motor', candidates: few }).report as Record<
      string,
      any
    >;
    return report.corrected.balanced_accuracy as number;
  });
  expect(Math.abs(corrected.reduce((a, b) => a + b) / corrected.length - 0.5)).toBeLessThan(0.08);
}, 300_000);
