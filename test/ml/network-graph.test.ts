import type * as tensorflow from '@tensorflow/tfjs';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { createRandom } from '../../ml/random.ts';
import { createNetwork } from '../../ml/methods/network/graph.ts';
import type { Batch, Network, Parameters } from '../../ml/methods/network/graph.ts';
import { innerSplit } from '../../ml/methods/descent/inner-split.ts';
import { prepareTensors, tensors } from '../../ml/methods/descent/tensors.ts';

const shape = { bands: 2, rank: 3, count: 2, classes: 3 };
const random = createRandom(12);
const list = (length: number): Float64Array => Float64Array.from({ length }, () => random() - 0.5);
const parameters: Parameters = { filters: list(12), weights: list(12), bias: list(3) };
const standard = { mean: list(4), gain: list(4).map((v) => 1.5 + v) };
const covariances = [0, 1].map(() =>
  Array.from({ length: 5 }, () => [1 + random(), 0.2 * random(), 0.1, 1 + random(), -0.2, 1 + random()]),
);
const labels = [0, 1, 2, 1, 0];
const mask = Float32Array.from({ length: 20 }, (_, i) => (Math.floor(i / 5) === 1 ? 0 : 4 / 3));

/** The same loss in float64. */
function plainLoss({ filters, weights, bias }: Parameters): number {
  let loss = 0;
  labels.forEach((label, n) => {
    const logits = [...bias];
    for (let u = 0; u < 4; u += 1) {
      const [a, b, c] = filters.subarray(3 * u, 3 * u + 3);
      const [aa, ab, ac, bb, bc, cc] = covariances[Math.floor(u / 2)]![n]!;
      const power = a! * a! * aa! + b! * b! * bb! + c! * c! * cc! + 2 * (a! * b! * ab! + a! * c! * ac! + b! * c! * bc!);
      const z = (Math.log(power + 1e-6) - standard.mean[u]!) * standard.gain[u]! * mask[u * 5 + n]!;
      for (let k = 0; k < 3; k += 1) logits[k]! += z * weights[u * 3 + k]!;
    }
    loss -= (logits[label]! - Math.log(logits.reduce((sum, v) => sum + Math.exp(v), 0))) / labels.length;
  });
  return loss;
}

let network: Network;
let batch: Batch;

beforeAll(async () => {
  await prepareTensors();
  const tf = tensors();
  network = createNetwork(tf, shape, standard);
  batch = {
    rows: 5,
    covariances: tf.tensor3d(covariances.map((own) => own[0]!.map((_, at) => own.map((triangle) => triangle[at]!)))),
    targets: tf.tensor2d(labels.map((label) => [0, 1, 2].map((k) => Number(k === label)))),
  };
});

describe('the graph of the network', () => {
  test('computes the loss, and gradients that agree with finite differences', () => {
    const { loss, gradients } = network.lossAndGradients(parameters, batch, mask);
    expect(loss).toBeCloseTo(plainLoss(parameters), 5);
    for (const name of ['filters', 'weights', 'bias'] as const) {
      gradients[name].forEach((slope, i) => {
        const moved = (by: number): number =>
          plainLoss({ ...parameters, [name]: parameters[name].map((v, at) => (at === i ? v + by : v)) });
        expect(slope, `${name} ${i}`).toBeCloseTo((moved(1e-5) - moved(-1e-5)) / 2e-5, 3);
      });
    }
  });

  test('gives log-probabilities of every class and leaves no tensor behind', () => {
    const before = tensors().memory().numTensors;
    const logs = network.logProbabilities(parameters, batch);
    network.lossAndGradients(parameters, batch, null);
    for (let n = 0; n < 5; n += 1)
      expect(logs.subarray(3 * n, 3 * n + 3).reduce((sum, v) => sum + Math.exp(v), 0)).toBeCloseTo(1, 5);
    expect(tensors().memory().numTensors).toBe(before);
  });
});

describe('trials for early stopping', () => {
  const data = {
    labels: Int32Array.from({ length: 50 }, (_, i) => i % 2),
    classes: ['a', 'b'],
    sessions: null,
    features: { trials: 50, shape: {} as never, sets: {}, versions: {} },
  };
  const rows = Int32Array.from({ length: 50 }, (_, i) => i);

  test('are a fifth of each class', () => {
    const { learn, watch } = innerSplit(data, rows);
    expect([...learn, ...watch].sort((a, b) => a - b)).toEqual([...rows]);
    expect([0, 1].map((k) => watch.filter((row) => data.labels[row] === k).length)).toEqual([5, 5]);
  });

  test('are a whole session if one has about a fifth of the trials', () => {
    const { watch } = innerSplit({ ...data, sessions: rows.map((row) => Math.floor(row / 12)) }, rows);
    expect(watch.length).toBe(12);
    expect(new Set(watch.map((row) => Math.floor(row / 12))).size).toBe(1);
  });
});

test('if no backend starts, the fit fails with the reason', async () => {
  vi.resetModules();
  const fresh = await import('../../ml/methods/descent/tensors.ts');
  expect(() => fresh.tensors()).toThrow('was not loaded');
  await fresh.prepareTensors(() => Promise.reject<typeof tensorflow>(new Error('no WebAssembly here')));
  expect(() => fresh.tensors()).toThrow('TensorFlow.js did not start (no WebAssembly here)');
});
