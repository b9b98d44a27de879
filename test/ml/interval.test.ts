import { describe, expect, it } from 'vitest';
import { accuracyInterval } from '../../ml/evidence/interval.ts';

const equal = (classes: number, value: number): number[] => Array.from({ length: classes }, () => value);

describe('the interval of a balanced accuracy', () => {
  it.each([2, 3, 4, 6, 10, 30])('of %i classes of five trials holds its score, perfect or at chance', (classes) => {
    const counts = equal(classes, 5);
    for (const recall of [0, 1 / classes, 0.5, 1]) {
      const [low, high] = accuracyInterval(equal(classes, recall), counts);
      expect(low).toBeLessThanOrEqual(recall);
      expect(high).toBeGreaterThanOrEqual(recall);
      expect(high - low).toBeGreaterThan(0);
    }
  });

  it('covers the true value of many classes of few trials in about 95 of 100 experiments', () => {
    const [classes, trials, truth] = [8, 10, 0.3];
    let state = 7;
    const random = (): number => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;
    const experiments = 2_000;
    let covered = 0;
    for (let i = 0; i < experiments; i += 1) {
      const recalls = equal(classes, 0).map(() => equal(trials, 0).filter(() => random() < truth).length / trials);
      const [low, high] = accuracyInterval(recalls, equal(classes, trials));
      covered += Number(low <= truth && truth <= high);
    }
    expect(covered / experiments).toBeGreaterThan(0.93);
    expect(covered / experiments).toBeLessThan(0.975);
  });

  it('of one class is that of Agresti and Coull: 8 of 10 gives 0.4776 to 0.9509', () => {
    const [low, high] = accuracyInterval([0.8], [10]);
    expect([low, high]).toEqual([expect.closeTo(0.4776, 4), expect.closeTo(0.9509, 4)]);
  });
});
