import { beforeAll, describe, expect, test } from 'vitest';
import { balancedAccuracy, decisions } from '../../ml/evidence/scores.ts';
import { createRandom, shuffle } from '../../ml/random.ts';
import { extractFeatures } from '../../ml/features/index.ts';
import { createWorkspace, methods, prepareMethods } from '../../ml/methods/index.ts';
import { filterBankNetwork } from '../../ml/methods/filter-bank-network.ts';
import {
  datasetShape,
  fitWinner,
  planFolds,
  predictTrials,
  scoreCandidate,
  trainingData,
} from '../../ml/train/index.ts';
import type { TrainingData } from '../../ml/train/index.ts';
import { pick, simulated } from './simulated.ts';

const id = 'filter-bank-network';
const sample = simulated({ count: 200, channels: 5, samples: 256, strength: 0.45, seed: 8 });
const data = trainingData(extractFeatures(sample.trials, ['fbcov']), sample.labels, null);
const shape = {
  ...datasetShape(sample.trials, sample.labels, null, { kind: 'motor' }),
  trials: 300,
  trialsPerClass: [150, 150],
};
const winner = { method: id, version: filterBankNetwork.version, temperature: 1, explanation: '' };

/** Balanced accuracy and log-loss of trials 160 … 199, learned from the others. */
function heldOut(from: TrainingData): { accuracy: number; loss: number } {
  const plan = planFolds(from);
  const { status, reason, balancedAccuracy, logLoss } = scoreCandidate(id, from, plan);
  expect(reason).toBe(null);
  expect(status).toBe('scored');
  return { accuracy: balancedAccuracy, loss: logLoss };
}

beforeAll(() => prepareMethods([filterBankNetwork]));

describe('the filter-bank network', () => {
  test('finds a difference in one band on trials it has not seen, and nothing where labels are shuffled', () => {
    const clear = heldOut(data);
    expect(clear.accuracy).toBeGreaterThan(0.75);
    expect(clear.loss).toBeLessThan(0.6);
    const chance = heldOut({ ...data, labels: shuffle(data.labels.slice(), createRandom(5)) });
    expect(Math.abs(chance.accuracy - 0.5)).toBeLessThan(0.12);
    expect(chance.loss).toBeGreaterThan(0.66);
  });

  test('distinguishes three classes of different size', () => {
    const three = simulated({ count: 240, channels: 4, samples: 256, strength: 0.8, seed: 3, classes: 3 });
    const kept = pick(
      three,
      three.labels.flatMap((label, i) => (label === 'class 2' && i % 2 === 0 ? [] : [i])),
    );
    const rows = Int32Array.from({ length: kept.labels.length }, (_, i) => i);
    const some = trainingData(extractFeatures(kept.trials, ['fbcov']), kept.labels, kept.sessions);
    const workspace = createWorkspace();
    const head = filterBankNetwork.fit({ data: some, rows: rows.filter((row) => row % 4 !== 0), workspace });
    const test = rows.filter((row) => row % 4 === 0);
    const scores = filterBankNetwork.decide(head, some.features, test, workspace);
    expect(
      balancedAccuracy(
        decisions(scores, 3),
        test.map((row) => some.labels[row]!),
        3,
      ),
    ).toBeGreaterThan(0.6);
  });

  test('is the same network each time, plain data, and decides each trial by itself, bit for bit', () => {
    const model = fitWinner(winner, data);
    expect(fitWinner(winner, data).head).toEqual(model.head);
    const some = predictTrials(model, pick(sample, [3, 10, 21]).trials, { align: 'none' });
    expect([...predictTrials(structuredClone(model), pick(sample, [3, 10, 21]).trials, { align: 'none' })]).toEqual([
      ...some,
    ]);
    for (const [i, row] of [3, 10, 21].entries()) {
      expect([...predictTrials(model, pick(sample, [row]).trials, { align: 'none' })]).toEqual([
        ...some.subarray(2 * i, 2 * i + 2),
      ]);
    }
    const aligned = predictTrials(model, sample.trials, { align: 'batch' });
    expect(aligned.every((value) => value >= 0 && value <= 1)).toBe(true);
  });

  test('does not depend on the unit of the signal', () => {
    const sets = { fbcov: data.features.sets['fbcov']!.map((value) => value * 16) };
    const rows = Int32Array.from({ length: 200 }, (_, i) => i);
    const [own, other] = [data, { ...data, features: { ...data.features, sets } }].map((from) => {
      const head = filterBankNetwork.fit({ data: from, rows, workspace: createWorkspace() });
      return filterBankNetwork.decide(head, from.features, rows, createWorkspace());
    });
    own!.forEach((value, i) => expect(Math.abs(value - other![i]!)).toBeLessThan(0.02));
  });

  test('nothing outside the training rows has an effect', () => {
    const rows = Int32Array.from({ length: 160 }, (_, i) => i);
    const planted = data.features.sets['fbcov']!.slice();
    planted.fill(1e3, (planted.length / 200) * 160);
    const labels = data.labels.map((label, i) => (i < 160 ? label : 0));
    const other: TrainingData = { ...data, labels, features: { ...data.features, sets: { fbcov: planted } } };
    const [a, b] = [data, other].map((from) =>
      filterBankNetwork.fit({ data: from, rows, workspace: createWorkspace() }),
    );
    expect(a).toEqual(b);
  });

  test('is tried with at least 300 trials, 60 of each class and at most 32 channels, else gives the reason with numbers', () => {
    expect(methods.map((row) => row.id)).toContain(id);
    expect(filterBankNetwork.unreadable(shape)).toBe(null);
    expect(filterBankNetwork.unreadable({ ...shape, trials: 299 })).toMatch(/at least 300 trials .* 299 supplied/);
    expect(filterBankNetwork.unreadable({ ...shape, trialsPerClass: [241, 59] })).toMatch(
      /at least 60 trials of each class .* has 59/,
    );
    expect(
      filterBankNetwork.unreadable({ ...shape, channelNames: Array.from({ length: 33 }, (_, i) => `E${i}`) }),
    ).toMatch(/at most 32 channels .* 33 supplied/);
  });
});
