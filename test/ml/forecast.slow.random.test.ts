import { expect, test } from 'vitest';
import { createRandom } from '../../ml/random.ts';
import { trainClassifier } from '../../ml/train/index.ts';
import { runs, seed } from '../support/counts.ts';
import { differing } from './artefacts.ts';
import { forecastOf, truth } from './growing.ts';

test.each([
  [60, 2],
  [200, 1.5],
])('the interval with twice of %i trials holds what that many reach', (trials, apart) => {
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

test('nothing is foreseen of a score that cannot be told from chance', () => {
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
