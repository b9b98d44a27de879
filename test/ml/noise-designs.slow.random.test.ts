import { expect, test } from 'vitest';
import { createRandom } from '../../ml/random.ts';
import { trainClassifier } from '../../ml/train/index.ts';
import { runs, seed } from '../support/counts.ts';
import { designs, drifting, type NoiseTrials } from './noise-designs.ts';

interface Told {
  readonly balanced_accuracy: number;
  readonly corrected: { readonly balanced_accuracy: number } | null;
  readonly p_value: number | null;
  readonly permutations: number;
  readonly warnings: readonly string[];
}

const told = ({ trials, labels, sessions }: NoiseTrials): Told =>
  trainClassifier(trials, labels, sessions, { kind: 'motor', candidates: ['log-power-logistic', 'tangent-logistic'] })
    .report as unknown as Told;

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
const spread = (values: readonly number[]): number => Math.sqrt(mean(values.map((v) => (v - mean(values)) ** 2)));

test.each(Object.entries(designs))(
  'noise scores at chance, and its p-values are not too small: %s',
  (_, design) => {
    const count = runs(12, 200);
    const reports = Array.from({ length: count }, (__, run) => told(design(createRandom(seed() + run))));
    const corrected = reports.map((report) => report.corrected!.balanced_accuracy);
    expect(mean(corrected) - 0.5).toBeLessThanOrEqual(0.02 + (3 * spread(corrected)) / Math.sqrt(count));
    for (const level of [0.05, 0.2, 0.5]) {
      const small = reports.filter((report) => report.p_value! <= level).length;
      expect(small).toBeLessThanOrEqual(level * count + 4 * Math.sqrt(level * (1 - level) * count));
    }
  },
  600_000,
);

test('two blocks of drifting noise score high, and no corrected score and no p-value are given', () => {
  const reports = Array.from({ length: 3 }, (_, run) => told(drifting(2)(createRandom(seed() + run))));
  expect(mean(reports.map((report) => report.balanced_accuracy))).toBeGreaterThan(0.7);
  for (const { corrected, p_value: p, permutations, warnings } of reports) {
    expect([corrected, p, permutations]).toEqual([null, null, 0]);
    expect(warnings.join(' ')).toMatch(/come in 2 blocks \(class 0: 1, class 1: 1\).*Neither a corrected score nor/);
    expect(warnings.join(' ')).toMatch(/send them in the order recorded, or name their `sessions`/);
  }
});
