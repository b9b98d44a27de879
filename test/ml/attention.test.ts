import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { decode, encode } from '../../infra/drivers/codec.ts';
import { balancedAccuracy, decisions } from '../../ml/evidence/scores.ts';
import { decideAttention } from '../../ml/methods/attention/decide.ts';
import { createAttention, leftOut } from '../../ml/methods/attention/graph.ts';
import type { Parameters } from '../../ml/methods/attention/graph.ts';
import { prepareTensors, tensors } from '../../ml/methods/descent/tensors.ts';
import { totalWhereSure } from '../../ml/methods/descent/steps.ts';
import { createWorkspace, prepareMethods } from '../../ml/methods/index.ts';
import { attentionHead } from '../../ml/methods/parts/attention-head.ts';
import { tunedLogistic } from '../../ml/methods/parts/classifiers.ts';
import { pipeline } from '../../ml/methods/parts/pipeline.ts';
import { plain } from '../../ml/methods/parts/plain.ts';
import type { Classifier, Vectors } from '../../ml/methods/parts/types.ts';
import type { Head } from '../../ml/methods/types.ts';
import { createRandom } from '../../ml/random.ts';
import { matrixOf } from '../../ml/matrix.ts';
import { meanTokens, noise, wandering } from './tokens.ts';
import type { Sample } from './tokens.ts';

const width = 12;
const classifier = attentionHead(width);
const fit = ({ vectors, labels, classes }: Sample, by: Classifier = classifier): Head =>
  by.fit(vectors, labels, classes, createWorkspace());
const accuracy = (head: Head, { vectors, labels, classes }: Sample, by: Classifier = classifier): number =>
  balancedAccuracy(decisions(by.decide(head, vectors), classes), labels, classes);
const some = ({ data, columns }: Vectors, from: number, to: number): Vectors =>
  matrixOf(data.slice(from * columns, to * columns), columns);

/** Twenty trials that are all the same. */
const flat: Sample = {
  vectors: matrixOf(new Float64Array(20 * 3 * width).fill(1), 3 * width),
  labels: Int32Array.from({ length: 20 }, (_, i) => i % 2),
  classes: 2,
  width,
};

/** The same but for rounding. */
const rounded: Sample = {
  ...flat,
  vectors: { ...flat.vectors, data: flat.vectors.data.map((v, i) => v + (i % 7) * Number.EPSILON) },
};

beforeAll(() => prepareTensors());

describe('an attention head', () => {
  test.each([2, 3])(
    'finds the information of one token at any position, of %i classes, where the mean token fails',
    (classes) => {
      const trained = wandering({ trials: 180, tokens: 8, width, classes, seed: 1 });
      const tested = wandering({ trials: 180, tokens: 8, width, classes, seed: 2 });
      expect(accuracy(fit(trained), tested)).toBeGreaterThan(0.9);
      expect(accuracy(fit(meanTokens(trained), tunedLogistic), meanTokens(tested), tunedLogistic)).toBeLessThan(
        1 / classes + 0.22,
      );
    },
  );

  test('stays at chance on noise, with probabilities near chance', () => {
    const each = [1, 2, 3, 4].map((seed) => {
      const [trained, tested] = [
        noise({ trials: 60, tokens: 6, width, classes: 2, seed }),
        noise({ trials: 200, tokens: 6, width, classes: 2, seed: seed + 50 }),
      ];
      const scores = classifier.decide(fit(trained), tested.vectors);
      const loss = -tested.labels.reduce((sum, label, i) => sum + scores[2 * i + label]!, 0) / tested.labels.length;
      return { own: accuracy(fit(trained), tested), loss };
    });
    const mean = (of: (one: { own: number; loss: number }) => number): number =>
      each.reduce((sum, one) => sum + of(one), 0) / each.length;
    expect(Math.abs(mean(({ own }) => own) - 0.5)).toBeLessThan(0.06);
    expect(mean(({ loss }) => loss)).toBeLessThan(0.8);
  });

  test('is the same each time, plain data that is stored, and decides each trial by itself, bit for bit', () => {
    const sample = wandering({ trials: 90, tokens: 5, width, classes: 3, seed: 4 });
    const head = fit(sample);
    expect(fit(sample)).toEqual(head);
    const all = classifier.decide(head, sample.vectors);
    expect(classifier.decide(structuredClone(head), sample.vectors)).toEqual(all);
    expect(classifier.decide(decode<Head>(encode(head)), sample.vectors)).toEqual(all);
    for (const i of [0, 17, 89])
      expect(classifier.decide(head, some(sample.vectors, i, i + 1))).toEqual(all.slice(3 * i, 3 * i + 3));
    for (let i = 0; i < 90; i += 1)
      expect(all.subarray(3 * i, 3 * i + 3).reduce((sum, v) => sum + Math.exp(v), 0)).toBeCloseTo(1, 10);
  });

  test('reads the trials set aside by session where sessions are named', () => {
    const sample = wandering({ trials: 100, tokens: 5, width, classes: 2, seed: 5 });
    const sessions = sample.labels.map((_, i) => Math.floor(i / 25));
    const head = classifier.fit(sample.vectors, sample.labels, 2, createWorkspace(), sessions);
    expect(accuracy(head, wandering({ trials: 100, tokens: 5, width, classes: 2, seed: 6 }))).toBeGreaterThan(0.9);
  });

  test.each([
    ['two trials of each class', noise({ trials: 4, tokens: 3, width, classes: 2, seed: 1 })],
    [
      'a class of a single trial',
      {
        ...noise({ trials: 9, tokens: 3, width, classes: 3, seed: 1 }),
        labels: Int32Array.of(0, 0, 0, 0, 1, 1, 1, 1, 2),
      },
    ],
    ['forty classes', noise({ trials: 200, tokens: 2, width, classes: 40, seed: 1 })],
    ['one token', noise({ trials: 20, tokens: 1, width, classes: 2, seed: 1 })],
    ['more numbers a token than tokens', noise({ trials: 10, tokens: 1, width: 60, classes: 2, seed: 1 })],
    ['embeddings that do not vary', flat],
    ['embeddings that vary by rounding alone', rounded],
  ])('gives probabilities after %s', (_, sample) => {
    const by = attentionHead(sample.width);
    const scores = by.decide(fit(sample, by), sample.vectors);
    expect(scores.length).toBe(sample.labels.length * sample.classes);
    expect(scores.every((v) => v <= 1e-12 && Number.isFinite(v))).toBe(true);
  });

  test('leaves no tensor behind', () => {
    const before = tensors().memory().numTensors;
    fit(noise({ trials: 20, tokens: 3, width, classes: 2, seed: 1 }));
    expect(tensors().memory().numTensors).toBe(before);
  });

  test('refuses vectors that are not tokens of its width', () => {
    expect(() => fit({ ...flat, vectors: matrixOf(new Float64Array(50), 5) })).toThrow(
      'Vectors of 5 numbers are not tokens of 12 numbers each.',
    );
  });

  test('requires, as part of a method, ten trials of each class and its library', async () => {
    const row = { id: 'x', version: '1', title: '', source: '', family: '', kinds: [] };
    const method = pipeline(row, plain(['logspectrum'], { standardise: true }), classifier);
    const shape = { kind: 'other', classes: ['a', 'b'], channelNames: ['Cz'], seconds: 4, sourceRateHz: 256 } as const;
    const of = (trialsPerClass: number[]) =>
      method.unreadable({
        ...shape,
        samples: 1024,
        trials: 0,
        sessions: 1,
        storedFeaturesOnly: false,
        missingChannels: 'reject',
        trialsPerClass,
      });
    expect(of([10, 10])).toBe(null);
    expect(of([30, 9])).toMatch(/at least 10 trials of each class .*"b" has 9/);
    expect(method.prepare).toBe(prepareTensors);
    await prepareMethods([method]);
  });
});

describe('the graph of an attention head', () => {
  const shape = { tokens: 3, rank: 4, hidden: 2, classes: 3 };
  const rows = 5;
  const random = createRandom(3);
  const list = (length: number): Float64Array => Float64Array.from({ length }, () => 2 * random() - 1);
  const parameters = {
    attend: list(8),
    shift: list(2),
    score: list(2),
    weights: list(12),
    bias: list(3),
  } satisfies Parameters;
  const x = list(rows * 12);
  const labels = [0, 1, 2, 1, 0];
  const mask = Float32Array.from({ length: rows * 3 }, (_, i) => (i % 4 === 1 ? leftOut : 0));

  /** The same loss in float64, by loops. */
  const plainLoss = ({ attend, shift, score, weights, bias }: Parameters): number =>
    labels.reduce((loss, label, n) => {
      const token = (t: number, j: number): number => x[(n * 3 + t) * 4 + j]!;
      const raw = [0, 1, 2].map((t) =>
        [0, 1].reduce(
          (sum, h) => {
            const seen = [0, 1, 2, 3].reduce((all, j) => all + token(t, j) * attend[j * 2 + h]!, shift[h]!);
            return sum + score[h]! * Math.tanh(seen);
          },
          mask[n * 3 + t]!,
        ),
      );
      const total = raw.reduce((sum, v) => sum + Math.exp(v), 0);
      const logits = [0, 1, 2].map((k) =>
        [0, 1, 2, 3].reduce((sum, j) => {
          const pooled = raw.reduce((all, v, t) => all + (Math.exp(v) / total) * token(t, j), 0);
          return sum + pooled * weights[j * 3 + k]!;
        }, bias[k]!),
      );
      const log = logits[label]! - Math.log(logits.reduce((sum, v) => sum + Math.exp(v), 0));
      return loss - log / rows;
    }, 0);

  test('computes the loss, and gradients that agree with finite differences', () => {
    const tf = tensors();
    const own = tf.tensor2d(Float32Array.from(x), [rows * 3, 4]);
    const batch = {
      rows,
      x: own,
      turned: tf.transpose(own),
      targets: tf.tensor2d(labels.map((label) => [0, 1, 2].map((k) => Number(k === label)))),
    };
    const { loss, gradients } = createAttention(tf, shape).lossAndGradients(parameters, batch, mask);
    expect(loss).toBeCloseTo(plainLoss(parameters), 5);
    for (const name of ['attend', 'shift', 'score', 'weights', 'bias'] as const) {
      gradients[name].forEach((slope, i) => {
        const moved = (by: number): number =>
          plainLoss({ ...parameters, [name]: parameters[name].map((v, at) => (at === i ? v + by : v)) });
        expect(slope, `${name} ${i}`).toBeCloseTo((moved(1e-5) - moved(-1e-5)) / 2e-5, 4);
      });
    }
    tf.dispose([batch.x, batch.turned, batch.targets]);
  });
});

test('the forward pass agrees with NumPy', () => {
  const cases = JSON.parse(readFileSync(new URL('./golden/attention.json', import.meta.url), 'utf8')) as {
    width: number;
    tokens: number;
    [name: string]: number[] | number;
  }[];
  expect(cases.length).toBe(3);
  for (const { width: own, tokens, ...lists } of cases) {
    const of = (name: string): Float64Array => Float64Array.from(lists[name] as number[]);
    const [attend, shift, score, weights, bias] = ['attend', 'shift', 'score', 'weights', 'bias'].map(of);
    const head = { width: own, attend: attend!, shift: shift!, score: score!, weights: weights!, bias: bias! };
    const logs = decideAttention(head, matrixOf(of('x'), tokens * own));
    logs.forEach((v, i) => expect(v).toBeCloseTo(of('logs')[i]!, 12));
  }
});

test('a loss has surely fallen where most trials gain, not where one does', () => {
  const before = Float64Array.of(1, 1, 1, 1, 1);
  expect(totalWhereSure(Float64Array.of(0.8, 0.7, 0.8, 0.9, 0.8), before)).toBeCloseTo(4, 12);
  expect(totalWhereSure(Float64Array.of(1, 1, 0, 1.1, 1), before)).toBe(Number.POSITIVE_INFINITY);
  expect(totalWhereSure(before, before)).toBe(Number.POSITIVE_INFINITY);
  expect(totalWhereSure(Float64Array.of(0), Float64Array.of(1))).toBe(Number.POSITIVE_INFINITY);
});
