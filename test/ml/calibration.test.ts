import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { calibration } from '../../ml/evidence/calibration.ts';
import { heldOutProbabilities } from '../../ml/evidence/held-out-probabilities.ts';
import { softmax } from '../../ml/evidence/scores.ts';
import { createRandom } from '../../ml/random.ts';

const trials = 400;
const labels = Int32Array.from({ length: trials }, (_, i) => (i % 4 === 0 ? 1 : 0));

/** Probabilities of class 0 and 1, where `sure` times as sure as is right. */
function drawn(sure: number, seed: number): { probabilities: Float64Array; truth: Int32Array } {
  const random = createRandom(seed);
  const probabilities = new Float64Array(trials * 2);
  const truth = Int32Array.from({ length: trials }, (_, i) => {
    const logit = 6 * random() - 3;
    const p = 1 / (1 + Math.exp(-sure * logit));
    probabilities.set([1 - p, p], 2 * i);
    return random() < 1 / (1 + Math.exp(-logit)) ? 1 : 0;
  });
  return { probabilities, truth };
}

describe('the reliability diagram', () => {
  const { probabilities, truth } = drawn(1, 3);
  const { error, bins } = calibration([probabilities, probabilities], truth, 2);

  test('contains every trial once, by rising probability, and its gaps are the calibration error', () => {
    expect(bins.length).toBe(10);
    expect(bins.reduce((sum, bin) => sum + bin.trials, 0)).toBeCloseTo(trials);
    expect(bins.reduce((sum, bin) => sum + bin.weight, 0)).toBeCloseTo(1);
    expect(bins.reduce((sum, bin) => sum + bin.weight * Math.abs(bin.probability - bin.accuracy), 0)).toBeCloseTo(
      error,
    );
    for (const [b, bin] of bins.entries()) {
      expect(bin.lowest).toBeGreaterThanOrEqual(bins[b - 1]?.highest ?? 0.5);
      expect(bin.probability).toBeGreaterThanOrEqual(bin.lowest);
      expect(bin.probability).toBeLessThanOrEqual(bin.highest);
    }
  });

  test('lies on the diagonal for true probabilities, and below it for a method three times too confident', () => {
    expect(error).toBeLessThan(0.08);
    const sure = drawn(3, 3);
    const over = calibration([sure.probabilities], sure.truth, 2);
    expect(over.error).toBeGreaterThan(0.1);
    const top = over.bins.at(-1)!;
    expect(top.accuracy).toBeLessThan(top.probability);
  });

  test('counts no trial that was not tested', () => {
    const some = probabilities.slice().fill(Number.NaN, 0, 200);
    const tested = calibration([some], truth, 2).bins.reduce((sum, bin) => sum + bin.trials, 0);
    expect(tested).toBe(trials - 100);
  });
});

interface Golden {
  readonly labels: readonly number[];
  readonly classes: number;
  readonly probabilities: readonly number[];
  readonly error: number;
  readonly bins: readonly { readonly probability: number; readonly accuracy: number; readonly weight: number }[];
}

/** Made by golden/make_calibration.py with scikit-learn and NumPy. */
const golden = JSON.parse(
  readFileSync(new URL('golden/calibration.json', import.meta.url), 'utf8'),
) as readonly Golden[];

test.each(golden)('error and bins of $classes classes are those of scikit-learn and NumPy', (set) => {
  const own = calibration([Float64Array.from(set.probabilities)], Int32Array.from(set.labels), set.classes);
  expect(own.error).toBeCloseTo(set.error, 10);
  expect(own.bins.length).toBe(set.bins.length);
  set.bins.forEach(({ probability, accuracy, weight }, b) => {
    expect(own.bins[b]!.probability).toBeCloseTo(probability, 10);
    expect(own.bins[b]!.accuracy).toBeCloseTo(accuracy, 10);
    expect(own.bins[b]!.weight).toBeCloseTo(weight, 10);
  });
});

test('the probability of a trial comes from a temperature that never saw the trial', () => {
  const random = createRandom(9);
  const logScores = Float64Array.from(
    { length: trials * 2 },
    (_, at) => 2 * random() + (labels[at >> 1] === at % 2 ? 1 : 0),
  );
  const rows = Int32Array.from({ length: trials }, (_, i) => i);
  const folds = [0, 1].map((part) => ({
    train: rows.filter((row) => row % 2 !== part),
    test: rows.filter((row) => row % 2 === part),
    pass: 0,
    heldOut: [],
  }));
  const data = { labels, classes: ['a', 'b'] };
  const of = (own: Int32Array) =>
    heldOutProbabilities(logScores, { ...data, labels: own }, { folds, evidencePasses: 1 }, softmax)[0]!;
  const before = of(labels);
  const after = of(labels.map((label, row) => (row % 2 === 0 ? 1 - label : label)));
  for (const row of [0, 2, 4]) expect(after[2 * row]).toBe(before[2 * row]);
  for (const row of [1, 3, 5]) expect(after[2 * row]).not.toBe(before[2 * row]);
});
