import { describe, expect, test } from 'vitest';
import { extractFeatures } from '../../ml/features/index.ts';
import { createWorkspace, methods } from '../../ml/methods/index.ts';
import { datasetShape, fitWinner, predictTrials, trainingData } from '../../ml/train/index.ts';
import type { FittedModel } from '../../ml/train/index.ts';
import type { Trials } from '../../ml/types.ts';
import { pick, simulated } from './simulated.ts';
import type { Simulated } from './simulated.ts';

const frequenciesHz = [12, 15];
const sample = simulated({ count: 48, channels: 4, samples: 512 });
const shape = datasetShape(sample.trials, sample.labels, sample.sessions, { frequenciesHz });
/** Every candidate that reads 48 trials of 4 channels and 2 s. */
const readable = methods.filter(({ unreadable }) => unreadable(shape) === null);

function fit(id: string, { trials, labels, sessions }: Simulated): FittedModel {
  const method = methods.find((row) => row.id === id)!;
  const data = trainingData(extractFeatures(trials, method.featureSets({ frequenciesHz })), labels, sessions);
  return fitWinner({ method: id, temperature: 1, explanation: '' }, data, createWorkspace());
}

const close = (a: Float64Array, b: Float64Array, tolerance: number): void => {
  expect(a.length).toBe(b.length);
  a.forEach((value, i) => expect(Math.abs(value - b[i]!)).toBeLessThan(tolerance));
};

const scaled = (trials: Trials, by: number): Trials => ({ ...trials, data: trials.data.map((value) => value * by) });

function reordered(trials: Trials, order: readonly number[]): Trials {
  const data = new Float32Array(trials.data.length);
  for (let t = 0; t < trials.trials; t += 1) {
    order.forEach((from, to) => {
      const at = (t * trials.channels + from) * trials.samples;
      data.set(trials.data.subarray(at, at + trials.samples), (t * trials.channels + to) * trials.samples);
    });
  }
  return { ...trials, data, channelNames: order.map((from) => trials.channelNames[from]!) };
}

test('the registry has unique ids, versions, titles and sources, and reasons with numbers for data it cannot read', () => {
  expect(new Set(methods.map(({ id }) => id)).size).toBe(methods.length);
  const tiny = {
    ...shape,
    channelNames: ['Cz'],
    seconds: 0.1,
    samples: 26,
    sourceRateHz: 20,
    trials: 10,
    trialsPerClass: [5, 5],
    sessions: 1,
    frequenciesHz: undefined,
  };
  for (const method of methods) {
    expect(
      [method.version, method.title, method.source].every((text) => text.length > 0),
      method.id,
    ).toBe(true);
    const reason = method.unreadable(tiny);
    if (reason !== null) expect(reason, method.id).toMatch(/\d|frequenc/);
  }
  expect(readable.length).toBeGreaterThan(25);
});

describe.each(readable.map(({ id }) => id))('%s', (id) => {
  const model = fit(id, sample);
  const some = pick(sample, [0, 3, 10, 21, 40]).trials;
  const answers = predictTrials(model, some, { align: 'none' });

  test('gives one probability per class that sum to one, and learns a clear difference', () => {
    for (let at = 0; at < answers.length; at += 2) expect(answers[at]! + answers[at + 1]!).toBeCloseTo(1, 10);
    const all = predictTrials(model, sample.trials, { align: 'none' });
    const right = sample.labels.filter((label, i) => (all[2 * i + 1]! > 0.5 ? 'class 1' : 'class 0') === label).length;
    expect(right / sample.labels.length).toBeGreaterThan(0.55);
  });

  test('answers for a trial do not depend on its neighbours, bit for bit', () => {
    for (const [i, row] of [0, 3, 10, 21, 40].entries()) {
      const alone = predictTrials(model, pick(sample, [row]).trials, { align: 'none' });
      expect([...alone]).toEqual([...answers.subarray(2 * i, 2 * i + 2)]);
    }
  });

  test('survives being stored as plain data', () => {
    expect([...predictTrials(structuredClone(model), some, { align: 'none' })]).toEqual([...answers]);
  });

  test('accepts a batch, recentred as a whole', () => {
    const aligned = predictTrials(model, sample.trials, { align: 'batch' });
    expect(aligned.every((value) => value >= 0 && value <= 1)).toBe(true);
  });

  test('does not depend on the unit of the signal', () => {
    const other = fit(id, { ...sample, trials: scaled(sample.trials, 4) });
    close(predictTrials(other, scaled(some, 4), { align: 'none' }), answers, 0.02);
  });

  test('does not depend on the order of channels', () => {
    const order = [2, 0, 3, 1];
    const other = fit(id, { ...sample, trials: reordered(sample.trials, order) });
    if (/trees/.test(id)) return;
    close(predictTrials(other, reordered(some, order), { align: 'none' }), answers, 0.02);
  });
});
