import { expect, test } from 'vitest';
import { lossTable } from '../../ml/evidence/loss-table.ts';
import { gatherEvidence, pick } from '../../ml/evidence/selection.ts';
import { trialWeights } from '../../ml/evidence/trial-weights.ts';
import { fitTemperature } from '../../ml/evidence/temperature.ts';
import { createRandom } from '../../ml/random.ts';

const labels = Int32Array.from({ length: 30 }, (_, i) => i % 2);
const known = (mean: number) => ({ mean, sd: 0.035, people: 20 });
const rated = (mean: number, lossOf: (i: number) => number) => {
  const losses = Float64Array.from(labels, (_, i) => lossOf(i));
  return { prior: known(mean), losses: lossTable(() => losses, 1), ownLosses: losses };
};
const wavering = (i: number): number => 0.5 + 0.3 * Math.sin(7 * i);

test('a method that is better on other people wins if the trials cannot distinguish it from the lowest log-loss', () => {
  const candidates = [rated(0.01, (i) => wavering(i) + 0.01 + 0.2 * Math.cos(5 * i)), rated(0.08, wavering)];
  expect(pick(candidates, trialWeights(labels, 2, null)).index).toBe(0);
});

test('a method with a much higher log-loss is never chosen, however uncertain the difference or promising the method', () => {
  const candidates = [rated(-0.1, (i) => (i % 5 === 0 ? 20 : 0.05)), rated(0.08, () => 0.01)];
  expect(pick(candidates, trialWeights(labels, 2, null)).index).toBe(1);
  const few = [rated(-0.1, (i) => (i === 3 ? 12 : 0.01)), rated(0.08, () => 0.01)];
  expect(pick(few, trialWeights(labels, 2, null)).index).toBe(1);
});

test('with many trials the prior has no effect', () => {
  const many = Int32Array.from({ length: 4_000 }, (_, i) => i % 2);
  const of = (mean: number, base: number) => {
    const losses = Float64Array.from(many, (_, i) => base + 0.3 * Math.sin(7 * i));
    return { prior: known(mean), losses: lossTable(() => losses, 1), ownLosses: losses };
  };
  expect(pick([of(0.01, 0.55), of(0.08, 0.5)], trialWeights(many, 2, null)).index).toBe(1);
});

/** Log-scores of `margin` for the predicted class of 40, right for a share of 240 trials. */
function predictions(share: number, margin: number, seed: number) {
  const [classes, trials] = [40, 240];
  const random = createRandom(seed);
  const truth = Int32Array.from({ length: trials }, (_, i) => i % classes);
  const outOfFold = Float64Array.from({ length: trials * classes }, () => 0.1 * margin * random());
  truth.forEach((label, i) => {
    const told = random() < share ? label : (label + 7) % classes;
    outOfFold[i * classes + told] = margin;
  });
  return { truth, classes, outOfFold, ...fitTemperature(outOfFold, truth, classes) };
}

test('of 40 classes with 6 trials each the method with more correct trials wins, whatever the scale of its scores', () => {
  const plan = { validation: 'stratified', folds: [], evidencePasses: 1, passes: 1, groups: null, inner: [] } as const;
  const candidates = [
    { ...predictions(0.975, 0.6, 1), method: 'small margins' },
    { ...predictions(0.875, 6, 2), method: 'margins of natural size' },
  ].map(({ truth, classes, outOfFold, temperature, logLoss, method }) => {
    const score = { method, outOfFold, temperature, logLoss, prior: known(0), nested: null };
    return gatherEvidence(score as never, truth, classes, plan as never);
  });
  const { truth, classes } = predictions(1, 1, 1);
  expect(candidates[pick(candidates, trialWeights(truth, classes, null)).index]!.score.method).toBe('small margins');
});

test('a temperature corrects scores of any scale; if all trials are correct, their number limits it', () => {
  const sizes = [0.5, 5, 50].map((margin) => predictions(0.9, margin, 3));
  for (const { temperature, logLoss } of sizes) {
    expect(logLoss).toBeCloseTo(sizes[0]!.logLoss, 3);
    expect(temperature / sizes[0]!.temperature).toBeGreaterThan(0.99);
  }
  const range = sizes[2]!.temperature / sizes[0]!.temperature;
  expect(range).toBeGreaterThan(95);
  expect(range).toBeLessThan(100);
  const sure = predictions(1, 5, 4);
  expect(Math.exp(-sure.logLoss)).toBeGreaterThan(0.99);
  expect(Math.exp(-sure.logLoss)).toBeLessThan(0.999);
});

test('a few trials that a method fits well do not make it certain of new ones: its temperature stays near 1', () => {
  const temperatureOf = (trials: number): number => {
    const truth = Int32Array.from({ length: trials }, (_, i) => i % 2);
    const scores = Float64Array.from({ length: 2 * trials }, (_, i) => (truth[i >> 1] === (i & 1) ? 0.1 : 0));
    return fitTemperature(scores, truth, 2).temperature;
  };
  const [few, many] = [temperatureOf(12), temperatureOf(600)];
  expect(few).toBeGreaterThan(0.3);
  expect(few).toBeLessThan(1);
  expect(many).toBeLessThan(0.2);
});

test('of methods that classify all of a few trials correctly the one that is better on other people wins, not the most confident', () => {
  const truth = Int32Array.from({ length: 12 }, (_, i) => i % 2);
  const plan = { validation: 'stratified', folds: [], evidencePasses: 1, passes: 1, groups: null, inner: [] } as const;
  const candidates = [3, 3_000].map((margin, c) => {
    const outOfFold = Float64Array.from({ length: 24 }, (_, i) => (truth[i >> 1] === (i & 1) ? margin : 0));
    const score = { outOfFold, prior: known(0.01 * c), nested: null, ...fitTemperature(outOfFold, truth, 2) };
    return gatherEvidence(score as never, truth, 2, plan as never);
  });
  expect(pick(candidates, trialWeights(truth, 2, null)).index).toBe(0);
});
