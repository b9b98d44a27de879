import { expect, test } from 'vitest';
import { createRandom } from '../../ml/random.ts';
import { runs, seed } from '../support/counts.ts';
import { copies, pooledPeople } from './fooled.ts';
import { evidenceOf, meanOf, spreadOf } from './evidence-of-noise.ts';

test.each(Object.entries(copies))(
  'noise with altered copies of its trials scores at chance: %s',
  (_, design) => {
    const count = runs(20, 200);
    const reports = Array.from({ length: count }, (__, run) =>
      evidenceOf(design(createRandom(seed() + run)), ['tangent-logistic']),
    );
    // Where all trials of a class are one group there is no corrected score.
    const corrected = reports.flatMap((report) => report.corrected?.balanced_accuracy ?? []);
    const excess = corrected.length > 0 ? meanOf(corrected) - 0.5 : 0;
    expect(excess).toBeLessThanOrEqual(0.02 + (3 * spreadOf(corrected)) / Math.sqrt(Math.max(1, corrected.length)));
    for (const { warnings } of reports) expect(warnings.join(' ')).toMatch(/Augmented copies: /);
    const small = reports.filter(({ p_value: p }) => p !== null && p <= 0.05).length;
    expect(small).toBeLessThanOrEqual(0.05 * count + 4 * Math.sqrt(0.05 * 0.95 * count));
  },
  600_000,
);

test('people pooled without sessions are found, held out one by one, and score at chance', () => {
  const count = runs(20, 200);
  const reports = Array.from({ length: count }, (_, run) => evidenceOf(pooledPeople(createRandom(seed() + run))));
  const found = reports.filter(({ warnings }) => /Hidden sessions: .*Name your `sessions`/.test(warnings.join(' ')));
  expect(found.length).toBeGreaterThanOrEqual(0.9 * count);
  const corrected = found.flatMap((report) => report.corrected?.balanced_accuracy ?? []);
  expect(meanOf(corrected) - 0.5).toBeLessThanOrEqual(0.02 + (3 * spreadOf(corrected)) / Math.sqrt(corrected.length));
  const small = found.filter(({ p_value: p }) => p !== null && p <= 0.05).length;
  expect(small).toBeLessThanOrEqual(0.05 * count + 4 * Math.sqrt(0.05 * 0.95 * count));
}, 600_000);
