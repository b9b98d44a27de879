import { describe, expect, test } from 'vitest';
import { balancedAccuracy, decisions } from '../../ml/evidence/scores.ts';
import { createRandom, shuffle } from '../../ml/random.ts';
import { readInOrder, sequenceOf } from '../../ml/methods/sequence.ts';
import { fitWinner, planFolds, predictFeatures, scoreCandidate } from '../../ml/train/index.ts';
import type { Choice, TrainingData } from '../../ml/train/index.ts';
import { batchDecisions } from '../../ml/train/in-order.ts';
import { noise } from './noise.ts';

const classes = ['N1', 'N2', 'N3', 'R', 'W'];
const choice: Choice = { method: 'sleep-logistic', version: '1', temperature: 1, explanation: '' };

/** Nights whose stages last for ten epochs on average; each has a gain and an offset of its own. */
function nights({ count = 3, epochs = 120, channels = 2, seed = 1, inOrder = true }): TrainingData {
  const random = createRandom(seed);
  const trials = count * epochs;
  const width = 21 * channels;
  const means = noise(classes.length * width, 9);
  const labels = new Int32Array(trials);
  const sessions = Int32Array.from({ length: trials }, (_, i) => Math.floor(i / epochs));
  let stage = 0;
  for (let i = 0; i < trials; i += 1) {
    if (random() < 0.1) stage = Math.floor(random() * classes.length);
    labels[i] = stage;
  }
  if (!inOrder) labels.set(shuffle([...labels], random));
  const [gains, offsets] = [noise(count * width, seed + 1), noise(count * width, seed + 2)];
  const spread = noise(trials * width, seed + 3);
  const table = spread.map((value, at) => {
    const [row, column] = [Math.floor(at / width), at % width];
    const night = sessions[row] * width + column;
    return (1 + gains[night]) * (means[labels[row] * width + column] + 4 * value) + 2 * offsets[night];
  });
  const channelNames = ['Fpz', 'Pz', 'C3', 'C4', 'O1', 'O2'].slice(0, channels);
  return {
    features: {
      trials,
      shape: { channels, samples: 7680, rateHz: 256, sourceRateHz: 100, channelNames },
      sets: { sleep: table },
      versions: { sleep: 1 },
    },
    labels,
    classes,
    sessions,
    sessionNames: Array.from({ length: count }, (_, night) => `night ${night}`),
    kind: 'sleep',
  };
}

/** The epochs of one night of some nights. */
const only = ({ features, labels, sessions }: TrainingData, night: number) => {
  const rows = [...labels.keys()].filter((row) => sessions![row] === night);
  const width = features.sets['sleep']!.length / features.trials;
  const sleep = features.sets['sleep']!.slice(rows[0]! * width, (rows.at(-1)! + 1) * width);
  return {
    features: { ...features, trials: rows.length, sets: { sleep } },
    labels: labels.filter((_, i) => sessions![i] === night),
  };
};

describe('a night that the model has not seen', () => {
  const all = nights({ count: 4 });
  const later = only(all, 3);
  const kept = all.labels.map((_, row) => row).filter((row) => all.sessions![row] < 3);
  const width = all.features.sets['sleep']!.length / all.features.trials;
  const training: TrainingData = {
    ...all,
    features: {
      ...all.features,
      trials: kept.length,
      sets: { sleep: all.features.sets['sleep']!.slice(0, kept.length * width) },
    },
    labels: all.labels.slice(0, kept.length),
    sessions: all.sessions!.slice(0, kept.length),
  };
  const model = fitWinner(choice, training);
  const reached = (probabilities: Float64Array): number =>
    balancedAccuracy(decisions(probabilities, classes.length), later.labels, classes.length);
  const [alone, batch] = (['none', 'batch'] as const).map((align) => predictFeatures(model, later.features, { align }));

  test('is staged better as a batch: scaled by itself, each epoch read with its neighbours', () => {
    const { sequence: _, ...unordered } = model;
    const scaled = predictFeatures(unordered, later.features, { align: 'batch' });
    expect(reached(scaled)).toBeGreaterThan(reached(alone!) + 0.03);
    expect(reached(batch!)).toBeGreaterThan(reached(scaled) + 0.05);
  });

  test('with `none` is staged epoch by epoch, whatever the neighbours', () => {
    const first = { ...later.features, trials: 1, sets: { sleep: later.features.sets['sleep']!.slice(0, width) } };
    expect([...predictFeatures(model, first, { align: 'none' })]).toEqual([...alone!.subarray(0, classes.length)]);
  });

  test('is scored both ways in the evidence, by nights held out', () => {
    const plan = planFolds(training);
    expect(plan.validation).toBe('sessions');
    const score = scoreCandidate('sleep-logistic', training, plan);
    const read = batchDecisions(score, training, plan)!;
    const aligned = balancedAccuracy(decisions(read, classes.length), training.labels, classes.length);
    expect(aligned).toBeGreaterThan(score.balancedAccuracy + 0.05);
  });
});

describe('the order of epochs', () => {
  const rows = (data: TrainingData): Int32Array => Int32Array.from(data.labels.keys());

  test('is learned from nights in order, and not from shuffled nights or from nights without separable stages', () => {
    const ordered = nights({});
    const transitions = sequenceOf(ordered, rows(ordered))!;
    for (let k = 0; k < classes.length; k += 1) {
      expect(transitions[k * classes.length + k]).toBeGreaterThan(0.7);
      const [into, out] = [0, 1].map((way) =>
        classes.reduce((sum, _, j) => sum + transitions[way ? k * classes.length + j : j * classes.length + k]!, 0),
      );
      expect(into).toBeCloseTo(1, 3);
      expect(out).toBeCloseTo(1, 3);
    }
    for (let seed = 1; seed <= 20; seed += 1) {
      const shuffled = nights({ seed, inOrder: false });
      expect(sequenceOf(shuffled, rows(shuffled))).toBeNull();
    }
    expect(sequenceOf({ ...ordered, sessions: null }, rows(ordered))).toBeNull();
  });

  test('is for sleep only', () => {
    const { sessions: _, ...other } = nights({});
    expect(fitWinner(choice, nights({})).sequence).toBeInstanceOf(Float64Array);
    expect(fitWinner(choice, { ...nights({}), kind: 'other' }).sequence).toBeUndefined();
    expect(fitWinner(choice, { ...other, sessions: null }).sequence).toBeUndefined();
  });

  test('weighs every way through the stages by its probability', () => {
    const transitions = Float64Array.of(0.8, 0.2, 0.2, 0.8);
    const own = Float64Array.of(0.9, 0.1, 0.4, 0.6, 0.7, 0.3, 0.2, 0.8);
    const expected = new Float64Array(8);
    for (let path = 0; path < 16; path += 1) {
      const states = [0, 1, 2, 3].map((i) => (path >> i) & 1);
      const chance = states.reduce(
        (product, state, i) => product * own[2 * i + state]! * (i > 0 ? transitions[2 * states[i - 1]! + state]! : 0.5),
        1,
      );
      states.forEach((state, i) => (expected[2 * i + state]! += chance));
    }
    readInOrder(own, transitions).forEach((value, at) => {
      const pair = expected[at - (at % 2)]! + expected[at - (at % 2) + 1]!;
      expect(value).toBeCloseTo(expected[at]! / pair, 12);
    });
  });
});

test.each([1, 2, 3, 4, 5, 6])('%i channels are staged', (channels) => {
  const data = nights({ channels, count: 2 });
  const model = fitWinner(choice, data);
  const batch = predictFeatures(model, only(data, 0).features, { align: 'batch' });
  expect(balancedAccuracy(decisions(batch, classes.length), only(data, 0).labels, classes.length)).toBeGreaterThan(0.6);
});
