import { expect, test } from 'vitest';
import { createRandom } from '../../ml/random.ts';
import { runs, seed } from '../support/counts.ts';
import { evidenceOf, meanOf, spreadOf } from './evidence-of-noise.ts';
import { designs, drifting } from './noise-designs.ts';

test.each(Object.entries(designs))(
  'noise scores at chance, and its p-values are not too small: %s',
  (_, design) => {
    const count = runs(12, 200);
    const reports = Array.from({ length: count }, (__, run) => evidenceOf(design(createRandom(seed() + run))));
    const corrected = reports.map((report) => report.corrected!.balanced_accuracy);
    expect(meanOf(corrected) - 0.5).toBeLessThanOrEqual(0.02 + (3 * spreadOf(corrected)) / Math.sqrt(count));
    for (const level of [0.05, 0.2, 0.5]) {
      const small = reports.filter((report) => report.p_value! <= level).length;
      expect(small).toBeLessThanOrEqual(level * count + 4 * Math.sqrt(level * (1 - level) * count));
    }
  },
  600_000,
);

test('two blocks of drifting noise score high, and no corrected score and no p-value are given', () => {
  const reports = Array.from({ length: 3 }, (_, run) => evidenceOf(drifting(2)(createRandom(seed() + run))));
  expect(meanOf(reports.map((report) => report.balanced_accuracy))).toBeGreaterThan(0.7);
  for (const { corrected, p_value: p, permutations, warnings } of reports) {
    expect([corrected, p, permutations]).toEqual([null, null, 0]);
    expect(warnings.join(' ')).toMatch(/come in 2 blocks \(class 0: 1, class 1: 1\).*Neither a corrected score nor/);
    expect(warnings.join(' ')).toMatch(/send them in the order recorded, or name their `sessions`/);
  }
});
