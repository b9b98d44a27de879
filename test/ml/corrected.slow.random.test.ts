import { describe, expect, test } from 'vitest';
import { matrixOf } from '../../ml/matrix.ts';
import { fitLda } from '../../ml/classify/lda.ts';
import { decideLinear } from '../../ml/classify/linear.ts';
import { correctedScore } from '../../ml/evidence/bias-corrected.ts';
import { foldPlan } from '../../ml/evidence/folds.ts';
import { atFullSize } from '../../ml/evidence/full-size.ts';
import { gatherEvidence } from '../../ml/evidence/selection.ts';
import { fitTemperature } from '../../ml/evidence/temperature.ts';
import { createRandom, shuffle } from '../../ml/random.ts';
import { predictTrials, trainClassifier } from '../../ml/train/index.ts';
import { runs, seed } from '../support/counts.ts';
import { windows } from './noise-designs.ts';
import { pick, simulated } from './simulated.ts';

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b) / values.length;

/** What choosing among `count` classifiers of noise, each of two features of its own, is said to be worth. */
function worthOfNoise(trials: number, count: number, run: number): number {
  const random = createRandom(run);
  const gauss = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const labels = Int32Array.from({ length: trials }, (_, i) => i % 2);
  const plan = foldPlan({ labels, classes: ['a', 'b'], sessions: null }, 4);
  const candidates = Array.from({ length: count }, () => {
    const x = Float64Array.from({ length: 2 * trials }, gauss);
    const at = (rows: Int32Array) =>
      Float64Array.from({ length: 2 * rows.length }, (_, i) => x[2 * rows[i >> 1]! + (i & 1)]!);
    const outOfFold = new Float64Array(2 * trials);
    for (const { train, test } of plan.folds) {
      const own = train.map((row) => labels[row]!);
      const scores = decideLinear(fitLda(matrixOf(at(train), 2), own, 2, 'none'), at(test));
      test.forEach((row, i) => outOfFold.set(scores.subarray(2 * i, 2 * i + 2), 2 * row));
    }
    const { temperature } = fitTemperature(outOfFold, labels, 2);
    const score = { outOfFold, temperature, nested: null, prior: { mean: 0, sd: 0.05, people: 0 } };
    return gatherEvidence(score as never, labels, 2, plan);
  });
  return correctedScore({ candidates, labels, classes: 2, sessions: null, plan }).balancedAccuracy;
}

test('the corrected score of many classifiers of noise is chance, without nesting', () => {
  const base = seed();
  const worth = Array.from({ length: runs(16, 200) }, (_, run) => worthOfNoise(150, 24, base + run));
  expect(Math.abs(mean(worth) - 0.5)).toBeLessThan(0.02);
}, 600_000);

test('few trials of a class, all wrong or all right, do not give certainty', () => {
  const labels = Int32Array.from({ length: 44 }, (_, i) => Number(i % 11 === 0));
  const plan = foldPlan({ labels, classes: ['usual', 'rare'], sessions: null }, 4);
  const worth = (rare: number) => {
    const outOfFold = new Float64Array(2 * 44 * plan.passes);
    for (let at = 0; at < outOfFold.length; at += 2) {
      const row = (at / 2) % 44;
      outOfFold[at + (labels[row] === 1 ? rare : Number(row % 4 === 1))] = 1;
    }
    const score = { outOfFold, temperature: 1, nested: null, prior: { mean: 0, sd: 0.05, people: 0 } };
    const candidates = [gatherEvidence(score as never, labels, 2, plan)];
    return correctedScore({ candidates, labels, classes: 2, sessions: null, plan });
  };
  const [missed, recognised] = [worth(0), worth(1)];
  expect(missed.balancedAccuracy).toBeLessThan(0.4);
  expect(missed.interval[1]).toBeGreaterThan(0.5);
  expect(recognised.balancedAccuracy).toBeGreaterThan(0.8);
  expect(recognised.interval[0]).toBeLessThan(0.75);
});

test('one class of noise ten times as large as the other hardly ever seems to be worth less than chance', () => {
  const count = runs(4, 200);
  const reports = Array.from({ length: count }, (_, run) => {
    const random = createRandom(seed() + run);
    const labels = shuffle([...Array(55).keys()], random).map((i) => (i % 11 === 0 ? 'rare' : 'usual'));
    const trials = windows(random, { trials: 55, samples: 128, channels: 4 });
    const candidates = ['tangent-logistic', 'csp-lda', 'log-power-ridge', 'windowed-means-ridge', 'mdm'];
    return trainClassifier(trials, labels, null, { kind: 'motor', candidates }).report as any;
  }).filter(({ corrected }) => corrected !== null);
  const wholly = reports.filter(({ corrected }) => corrected.interval_95[1] < 0.5 || corrected.interval_95[0] > 0.5);
  expect(wholly.length).toBeLessThanOrEqual(Math.max(1, 0.08 * count));
  expect(mean(reports.map(({ corrected }) => corrected.balanced_accuracy))).toBeLessThan(0.52 + 0.3 / Math.sqrt(count));
}, 600_000);

test('the score that two short sessions predict for a model of both is reached', () => {
  const base = seed();
  const differences = Array.from({ length: runs(6, 200) }, (_, run) => {
    const all = simulated({ count: 140, channels: 4, strength: 0.5, seed: base + run });
    const [own, later] = [0, 40].map((from) =>
      pick(
        all,
        [...Array(from ? 100 : 40).keys()].map((i) => i + from),
      ),
    );
    const sessions = own!.labels.map((_, i) => (i < 20 ? 'first' : 'second'));
    const { model, report } = trainClassifier(own!.trials, own!.labels, sessions, {
      kind: 'motor',
      candidates: ['tangent-logistic', 'csp-lda'],
    });
    const p = predictTrials(model, later!.trials, { align: 'none' });
    const right = later!.labels.filter((label, i) => p[2 * i + model.classes.indexOf(label)]! > 0.5);
    return (report['corrected'] as { balanced_accuracy: number }).balanced_accuracy - right.length / 100;
  });
  const spread = Math.sqrt(mean(differences.map((each) => (each - mean(differences)) ** 2)));
  expect(Math.abs(mean(differences))).toBeLessThan(Math.max(0.02, (3 * spread) / Math.sqrt(differences.length)));
}, 900_000);

describe('a score from half of the trials is extrapolated by the measured gain between two sizes', () => {
  const score = { interval: [0.6, 0.8], resamples: 400, unit: 'trials', nested: true, trialsPerClass: 10 } as const;
  const carried = (balancedAccuracy: number, gain: number, error = 0) =>
    atFullSize({ ...score, balancedAccuracy }, { from: 0.5, to: 1, gain, error }, { classes: 2, trialsPerClass: 20 });

  test('with the error of that measurement', () => {
    expect(atFullSize({ ...score, balancedAccuracy: 0.7 }, null, { classes: 2, trialsPerClass: 20 })).toEqual({
      ...score,
      balancedAccuracy: 0.7,
    });
    const { balancedAccuracy, interval, trialsPerClass, measured } = carried(0.7, 0.05, 0.01);
    expect(balancedAccuracy).toBeCloseTo(0.75, 10);
    expect(interval[0]).toBeCloseTo(0.6 + 0.05 - 0.0196, 10);
    expect(interval[1]).toBeCloseTo(0.8 + 0.05 + 0.0196, 10);
    expect([trialsPerClass, measured]).toEqual([20, { balancedAccuracy: 0.7, trialsPerClass: 10 }]);
  });

  test('the part above chance grows no faster than the square root of the trials, and never shrinks', () => {
    expect(carried(0.6, 0.2).balancedAccuracy).toBeCloseTo(0.5 + 0.1 * Math.SQRT2, 10);
    for (const [worth, gain] of [
      [0.5, 0.1],
      [0.43, 0.1],
      [0.7, -0.1],
    ] as const)
      expect(carried(worth, gain).balancedAccuracy).toBe(worth);
  });
});
