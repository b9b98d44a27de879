import { describe, expect, test } from 'vitest';
import { extractFeatures, isEncoded } from '../../ml/features/index.ts';
import { createWorkspace, methodOf, methods } from '../../ml/methods/index.ts';
import { createRandom, shuffle } from '../../ml/random.ts';
import { datasetShape, fitWinner, predictTrials, trainingData } from '../../ml/train/index.ts';
import type { Method } from '../../ml/methods/types.ts';
import type { FittedModel } from '../../ml/train/index.ts';
import type { Trials } from '../../ml/types.ts';
import { standInAvailability } from '../support/stand-in-encoders.ts';
import { choiceOf } from './choice-of.ts';
import { pick, separable, simulated } from './simulated.ts';
import type { Simulated } from './simulated.ts';
import { referenceSetOf, standingFor, withReference } from './with-reference.ts';

const frequenciesHz = [12, 15];
/** What methods of the movement network ask for; the weights are untrained. */
const asked = {
  frequenciesHz,
  encoders: { movement: standInAvailability['movement']! },
  network: { head: 'left_right_imagined', positive: 1 },
} as const;
const sample = simulated({ count: 48, channels: 4, samples: 512 });
const shape = datasetShape(sample.trials, sample.labels, sample.sessions, asked);
/** Every candidate that reads 48 trials of 4 channels and 2 s. */
const readable = methods.filter((method) => method.unreadable({ ...shape, ...standingFor(method) }) === null);

function fit(id: string, { trials, labels, sessions }: Simulated): FittedModel {
  const method = methods.find((row) => row.id === id)!;
  const data = withReference(
    method,
    trainingData(extractFeatures(trials, method.featureSets(asked)), labels, sessions, asked),
  );
  return fitWinner(choiceOf(id, data), data, createWorkspace());
}

/**
 * Trials that every method can tell apart, of shapes of which each method reads one (the network needs 300, and heads
 * of encoders need weights; they have tests of their own).
 */
const shapes = [
  separable({}),
  separable({ channels: 8 }),
  separable({ count: 96 }),
  separable({ samples: 2048 }),
  separable({ samples: 256 }),
  simulated({ count: 48, channels: 4, samples: 512, strength: 3 }),
];
const ofEncoders = (method: Method): boolean => method.featureSets({ encoders: standInAvailability }).some(isEncoded);
/** The movement network as it is learns two numbers only, so that untrained weights tell nothing apart. */
const others = ['filter-bank-network', 'movement-network'];
const learners = methods.filter((method) => !others.includes(method.id) && !ofEncoders(method));

/**
 * Share of one half of the trials that is decided right by a method fitted on the other half, with labels changed by
 * `relabel`.
 */
function heldOut(method: Method, relabel: (labels: Int32Array) => Int32Array): number {
  const own = shapes.find(
    ({ trials, labels, sessions }) =>
      method.unreadable(datasetShape(trials, labels, sessions, { ...asked, ...standingFor(method) })) === null,
  )!;
  const features = extractFeatures(own.trials, method.featureSets(asked));
  const known = withReference(method, trainingData(features, own.labels, own.sessions, asked));
  const data = { ...known, labels: relabel(known.labels) };
  const rows = Int32Array.from(own.labels, (_, i) => i);
  const train = rows.filter((row) => row % 4 < 2);
  const test = rows.filter((row) => row % 4 >= 2);
  const workspace = createWorkspace();
  const head = method.fit({ data, rows: train, workspace });
  const scores = method.decide(head, features, test, workspace);
  return test.filter((row, i) => Number(scores[2 * i + 1]! > scores[2 * i]!) === data.labels[row]).length / test.length;
}

const asTheyAre = (labels: Int32Array): Int32Array => labels;
/**
 * Labels dealt anew within each class of either half, so that they say nothing of the true ones nor of the other half.
 */
const shuffled =
  (seed: number) =>
  (labels: Int32Array): Int32Array => {
    const out = labels.slice();
    const random = createRandom(seed);
    for (const place of [0, 1, 2, 3]) {
      const rows = Array.from(labels.keys()).filter((row) => row % 4 === place);
      shuffle(rows, random).forEach((row, i) => (out[row] = i % 2));
    }
    return out;
  };
const onShuffled = (method: Method): number =>
  [1, 2, 3].reduce((sum, seed) => sum + heldOut(method, shuffled(seed)) / 3, 0);

describe.each(learners.map(({ id }) => id))('%s, on trials it has not seen', (id) => {
  test('distinguishes two classes that differ clearly', () => {
    expect(heldOut(methodOf(id), asTheyAre)).toBeGreaterThanOrEqual(0.8);
  });

  test('is at chance when the labels are shuffled', () => {
    expect(Math.abs(onShuffled(methodOf(id)) - 0.5)).toBeLessThan(0.2);
  });
});

test('a method that ignores the data, inverts its answers, or reads forbidden labels fails the tests', () => {
  const honest = methodOf('tangent-logistic');
  const blind: Method = { ...honest, decide: (_head, _features, rows) => new Float64Array(2 * rows.length) };
  const wrong: Method = { ...honest, decide: (...args) => honest.decide(...args).map((value) => -value) };
  const peeking: Method = {
    ...honest,
    fit: ({ data }) => ({ labels: data.labels }),
    decide: (head, _features, rows) =>
      Float64Array.from([...rows].flatMap((row) => [0, (head['labels'] as Int32Array)[row]! - 0.5])),
  };
  expect(onShuffled(peeking)).toBeGreaterThan(0.7);
  expect(heldOut(blind, asTheyAre)).toBeLessThan(0.8);
  expect(heldOut(wrong, asTheyAre)).toBeLessThan(0.8);
});

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

test('the registry has unique ids, versions, titles, sources, and reasons with numbers for data it cannot read', () => {
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
    if (reason !== null) expect(reason, method.id).toMatch(/\d|frequenc|reference task|weights/);
  }
  expect(readable.length).toBeGreaterThan(25);
});

describe.each(readable.map(({ id }) => id))('%s', (id) => {
  const model = fit(id, sample);
  const some = pick(sample, [0, 3, 10, 21, 40]).trials;
  const answers = predictTrials(model, some, { align: 'none' });

  test('gives one probability per class that sum to one', () => {
    for (let at = 0; at < answers.length; at += 2) expect(answers[at]! + answers[at + 1]!).toBeCloseTo(1, 10);
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

  test.skipIf(referenceSetOf({ id }) === 'erp/windows')('does not depend on the unit of the signal', () => {
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
