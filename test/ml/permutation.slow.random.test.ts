import { describe, expect, it } from 'vitest';
import { foldDependence, permutationP } from '../../ml/evidence/permutation.ts';
import { createRandom } from '../../ml/random.ts';
import { planFolds, trainClassifier } from '../../ml/train/index.ts';
import type { Trials } from '../../ml/types.ts';
import { runs, seed } from '../support/counts.ts';

const names = ['C3', 'Cz', 'C4', 'CP3', 'CPz', 'CP4'];
const labelsOf = (count: number): string[] => Array.from({ length: count }, (_, i) => (i % 2 ? 'right' : 'left'));

function noiseTrials(count: number, seed: number): Trials {
  const random = createRandom(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return {
    data: Float32Array.from({ length: count * names.length * 256 }, () => 10 * normal()),
    trials: count,
    channels: names.length,
    samples: 256,
    rateHz: 256,
    sourceRateHz: 256,
    channelNames: names,
  };
}

/** Five standard deviations above the mean of the binomial distribution with p = 0.05. */
const atMost = (count: number): number => 0.05 * count + 5 * Math.sqrt(0.05 * 0.95 * count);

describe('the p-value of a cross-validated score', () => {
  it('is at most 0.05 about as often as it should be on pure noise', () => {
    const count = runs(20, 200);
    const small = Array.from(
      { length: count },
      (_, run) =>
        trainClassifier(noiseTrials(100, seed() + run), labelsOf(100), null, {
          kind: 'motor',
          candidates: ['tangent-logistic'],
        }).report,
    ).filter((report) => (report['p_value'] as number) <= 0.05).length;
    expect(small).toBeLessThanOrEqual(atMost(count));
  }, 300_000);

  it('is smallest for votes that are all correct, also with dependent folds', () => {
    const labels = Int32Array.from({ length: 30 }, (_, i) => i % 2);
    const votes = Float64Array.from({ length: 60 }, (_, at) => (labels[at >> 1] === at % 2 ? 1 : 0));
    expect(permutationP([votes], 1, { labels, classes: 2, sessions: null, dependence: 1.5 }).p).toBe(0.001);
  });

  it('is larger the more the folds depend on each other', () => {
    const labels = Int32Array.from({ length: 40 }, (_, i) => i % 2);
    const votes = Float64Array.from({ length: 80 }, (_, at) =>
      ((at >> 1) % 40 < 26 ? labels[at >> 1] : 1 - labels[at >> 1]) === at % 2 ? 1 : 0,
    );
    const at = (dependence: number): number =>
      permutationP([votes], 0.67, { labels, classes: 2, sessions: null, dependence }).p;
    expect(at(1)).toBeLessThan(0.1);
    expect(at(1.5)).toBeGreaterThan(at(1));
  });

  it('counts the dependence of five equal folds as 1.5', () => {
    const features = { trials: 100, shape: { ...noiseTrials(1, 1), channels: 6 }, sets: {}, versions: {} };
    const data = {
      features,
      labels: Int32Array.from({ length: 100 }, (_, i) => i % 2),
      classes: ['left', 'right'],
      sessions: null,
    };
    expect(foldDependence(planFolds(data))).toBeCloseTo(1.5, 10);
  });
});
