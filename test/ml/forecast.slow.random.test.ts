import { expect, test } from 'vitest';
import { forecast } from '../../ml/evidence/forecast.ts';
import { accuracyInterval } from '../../ml/evidence/interval.ts';
import { createRandom } from '../../ml/random.ts';
import { trainClassifier } from '../../ml/train/index.ts';
import { runs, seed } from '../support/counts.ts';
import { differing } from './artefacts.ts';
import { forecastOf, truth } from './growing.ts';

test.each([
  [60, 2],
  [200, 1.5],
])('the interval for twice %i trials contains the score that they reach', (trials, apart) => {
  const { perClass } = forecastOf(trials, apart, seed());
  const reached = truth(2 * perClass, apart, createRandom(5));
  const found = Array.from({ length: runs(15, 200) }, (_, run) => forecastOf(trials, apart, seed() + run).found);
  const holding = found.filter(({ withTwice: { interval } }) => interval[0] <= reached && reached <= interval[1]);
  const means = found.map(({ withTwice }) => withTwice.value - reached);
  expect(holding.length / found.length).toBeGreaterThanOrEqual(0.85);
  expect(Math.abs(means.reduce((a, b) => a + b) / means.length)).toBeLessThan(0.06);
  for (const { withTwice, moreTrialsPerClass } of found) {
    expect(withTwice.value).toBeGreaterThanOrEqual(withTwice.interval[0] - 0.05);
    expect(moreTrialsPerClass.interval[0]).toBeLessThanOrEqual(moreTrialsPerClass.interval[1]);
  }
});

test('a score that may be chance has no forecast', () => {
  const { trials, labels } = differing({ count: 40, samples: 256, seed: 3 });
  const report = trainClassifier(trials, labels, null, { kind: 'motor', candidates: ['log-power-ridge'] })
    .report as any;
  expect(report.p_value).toBeGreaterThan(0.05);
  expect(report.forecast).toBeNull();
  expect(JSON.stringify(report)).not.toContain('more trials per class');
});

test('a forecast says its interval in numbers and in words', () => {
  const { trials, labels } = differing({ rhythm: [0, 1.5], count: 60, samples: 256 });
  const { forecast, learning_curve: curve } = trainClassifier(trials, labels, null, {
    kind: 'motor',
    candidates: ['csp-lda'],
  }).report as any;
  expect(curve.length).toBe(6);
  expect(forecast.interval_95_with_twice_the_trials[0]).toBeLessThan(forecast.balanced_accuracy_with_twice_the_trials);
  expect(forecast.interval_95_with_twice_the_trials[1]).toBeGreaterThan(
    forecast.balanced_accuracy_with_twice_the_trials,
  );
  expect(forecast.text).toMatch(
    /Twice the trials are expected to reach [\d.]+ % \(95 % interval [\d.]+ % to [\d.]+ %\)/,
  );
});

test('if every held-out trial was correct, the forecast is as uncertain as the number of trials requires', () => {
  const perfect = (perClass: number) => {
    const labels = Int32Array.from({ length: 2 * perClass }, (_, i) => i % 2);
    const points = [0.4, 0.6, 0.8].map((share) => ({
      trialsPerClass: Math.round(share * perClass),
      balancedAccuracy: 1,
      predicted: labels,
    }));
    return forecast(points, { labels, classes: ['a', 'b'], groups: null }, 1.5)!;
  };
  const [few, many] = [perfect(10), perfect(200)].map(({ withTwice }) => withTwice);
  expect([few!.value, few!.interval[1], many!.value, many!.interval[1]]).toEqual([1, 1, 1, 1]);
  expect(few!.interval[0]).toBeLessThan(accuracyInterval([1, 1], [10, 10])[0] + 0.02);
  expect(few!.interval[0]).toBeGreaterThan(0.6);
  expect(many!.interval[0]).toBeGreaterThan(0.97);
  expect(many!.interval[0]).toBeLessThan(1);
  expect(perfect(10).moreTrialsPerClass.value).toBe(Number.POSITIVE_INFINITY);
});

test('a learning curve of few trials names each size once, the smallest first', () => {
  const { trials, labels } = differing({ rhythm: [0, 3], count: 12, samples: 256 });
  const { learning_curve: curve } = trainClassifier(trials, labels, null, { kind: 'motor', candidates: ['csp-lda'] })
    .report as any;
  const sizes: number[] = curve.map((point: { trials_per_class: number }) => point.trials_per_class);
  expect(sizes).toEqual([...new Set(sizes)].sort((a, b) => a - b));
  expect(sizes.at(-1)).toBe(5);
});
