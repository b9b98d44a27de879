import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Encoders } from '../../ml/encoders/types.ts';
import { extractFeatures, isEncoded, trialsAt } from '../../ml/features/index.ts';
import { methodOf, prepareMethods } from '../../ml/methods/index.ts';
import { pinsOf } from '../../ml/pins/index.ts';
import { createRandom } from '../../ml/random.ts';
import { range, rowsOfEach } from '../../ml/rows.ts';
import { methodRow } from '../../ml/train/report/method-row.ts';
import { fitWinner, planFolds, predictEncoded, readByEncoders, scoreCandidate } from '../../ml/train/index.ts';
import { trainingData, type FittedModel, type TrainingData } from '../../ml/train/index.ts';
import { largestDifference } from '../support/published-models.ts';
import { simulatedNights } from '../support/simulated-nights.ts';
import { standInEncoders, standInAvailability } from '../support/stand-in-encoders.ts';
import { choiceOf } from './choice-of.ts';
import type { Simulated } from './simulated.ts';

const method = methodOf('robust-sleep-net-logistic');
const sets = method.featureSets({ encoders: standInAvailability });
const nights = simulatedNights({ nights: 3, epochs: 16 });

/** Features that a fit has before encoders read its trials. */
function before({ trials, labels, sessions }: Simulated): TrainingData {
  const features = extractFeatures(trials, methodOf('sleep-logistic').featureSets({}));
  return trainingData(features, labels, sessions, { kind: 'sleep' });
}
type Rules = Parameters<typeof readByEncoders>[4];
async function read(some: Simulated, encoders: Encoders = standInEncoders, rules: Rules = {}): Promise<TrainingData> {
  const reading = { encoders, recordings: rowsOfEach(some.sessions) };
  return await readByEncoders(before(some), some.trials, sets, reading, rules);
}

let data: TrainingData;
let model: FittedModel;
beforeAll(async () => {
  await prepareMethods([method]);
  data = await read(nights);
  model = fitWinner(choiceOf(method.id, data), data);
});

const rowOf = (id: string, some: TrainingData) => {
  const plan = planFolds(some);
  return methodRow(scoreCandidate(id, some, plan), some, plan, { choice: choiceOf(id, some), leastPrior: 0 });
};

describe('a model on embeddings of epochs of sleep', () => {
  it('is pinned to the weights, and to how the encoder reads', () => {
    const { hash } = standInAvailability['robust-sleep-net']!;
    expect(pinsOf(model)).toEqual(
      expect.arrayContaining([`weights:robust-sleep-net@${hash}`, 'features:robust-sleep-net@1']),
    );
  });

  it('answers a night in order, and each epoch alone', async () => {
    const { trials, labels } = simulatedNights({ nights: 1, epochs: 16, seed: 77 });
    for (const align of ['none', 'batch'] as const) {
      const p = await predictEncoded(model, trials, { align }, standInEncoders);
      const right = labels.filter((label, row) => {
        expect(p[2 * row]! + p[2 * row + 1]!).toBeCloseTo(1, 9);
        return model.classes[p[2 * row]! > p[2 * row + 1]! ? 0 : 1] === label;
      });
      expect(right.length, align).toBeGreaterThan(14);
    }
  });

  it('answers an epoch alone as it does among others, in any order, and beside flat ones', async () => {
    const { trials } = nights;
    const none = { align: 'none' } as const;
    const all = await predictEncoded(model, trials, none, standInEncoders);
    const size = trials.channels * trials.samples;
    for (const row of [0, 21, 47]) {
      const own = all.subarray(2 * row, 2 * row + 2);
      const one = await predictEncoded(model, trialsAt(trials, Int32Array.of(row)), none, standInEncoders);
      expect(largestDifference(one, own)).toBeLessThan(1e-6);
      const beside = trialsAt(trials, Int32Array.of(30, row, 31));
      beside.data.fill(0, 0, size);
      const three = await predictEncoded(model, beside, none, standInEncoders);
      expect(largestDifference(three.subarray(2, 4), own)).toBeLessThan(1e-6);
      expect([...three.subarray(0, 2)]).toEqual([0.5, 0.5]);
    }
    const flat = { ...trials, data: new Float32Array(trials.data.length) };
    expect(new Set(await predictEncoded(model, flat, none, standInEncoders))).toEqual(new Set([0.5]));
  });

  it('reads nothing of neighbours to answer each epoch alone', async () => {
    const graphs: string[] = [];
    const noting: Encoders = (weights) => (graph, inputs) => {
      graphs.push(graph);
      return standInEncoders(weights)(graph, inputs);
    };
    const some = trialsAt(nights.trials, range(4));
    await predictEncoded(model, some, { align: 'none' }, noting);
    expect(new Set(graphs)).toEqual(new Set(['epochs']));
    await predictEncoded(model, some, { align: 'batch' }, noting);
    expect(new Set(graphs)).toEqual(new Set(['epochs', 'sequence']));
  });
});

describe('its row in a report', () => {
  it('is scored alone and as a batch, with the time that its encoder took', () => {
    const row = rowOf(method.id, data);
    expect(row).toMatchObject({ status: 'scored', reason: null });
    expect(row['balanced_accuracy']).toBeGreaterThan(0.8);
    expect(row['balanced_accuracy_aligned']).toBeGreaterThan(0.8);
    expect(row['seconds']).toBeGreaterThanOrEqual(data.encoded!['robust-sleep-net']!.seconds);
  });

  it('says why if the encoder was lost, and the other candidates are scored', async () => {
    const reason = 'The pretrained encoder robust-sleep-net cannot be used: it failed on these trials.';
    const lost = await read(nights, () => () => Promise.reject(new Error(reason)));
    expect(Object.keys(lost.features.sets).filter(isEncoded)).toEqual([]);
    expect(rowOf(method.id, lost)).toMatchObject({ status: 'failed', reason });
    expect(rowOf('sleep-logistic', lost)).toMatchObject({ status: 'scored' });
  });

  it('says that the encoder was lost if it reads some trials and fails on the rest', async () => {
    let calls = 0;
    const fails: Encoders = (weights) => (graph, inputs) =>
      ++calls > 6 ? Promise.reject(new Error('too late')) : standInEncoders(weights)(graph, inputs);
    const lost = await read(nights, fails);
    expect(calls).toBeGreaterThan(6);
    expect(rowOf(method.id, lost)).toMatchObject({ status: 'failed', reason: 'too late' });
  });
});

it('a failure that the encoder did not cause ends the fit, to be retried', async () => {
  const lost = new Error('The thread ended.');
  const ends: Encoders = () => () => Promise.reject(lost);
  await expect(read(nights, ends, { isTemporary: (error) => error === lost })).rejects.toBe(lost);
  expect((await read(nights, ends, { isTemporary: () => false })).encoded).toMatchObject({
    'robust-sleep-net': { lost: 'The thread ended.' },
  });
});

it('waits for the runs of others are not counted against an encoder', async () => {
  let now = 0;
  let runs = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  /** Each run waits ten seconds for others, and then takes one of a thousand. */
  const crowded =
    (tells: boolean): Encoders =>
    (weights, onRun) =>
    async (graph, inputs) => {
      now += 10_001;
      runs += 1;
      if (tells) onRun?.(0.001);
      return await standInEncoders(weights)(graph, inputs);
    };
  const quick = await read(nights, crowded(true), { limit: Infinity });
  const asked = runs;
  expect(quick.encoded!['robust-sleep-net']!.seconds).toBeCloseTo(runs * 0.001, 9);
  const second = await read(nights, crowded(false), { limit: Infinity });
  expect(second.encoded!['robust-sleep-net']!.seconds).toBeCloseTo((runs - asked) * 10.001, 6);
  expect(runs).toBe(2 * asked);
  clock.mockRestore();
});

it('an encoder that exceeds the time limit is given up, and the fit continues', async () => {
  let runs = 0;
  const noting: Encoders = (weights) => async (graph, inputs) => {
    runs += 1;
    await sleep(40);
    return await standInEncoders(weights)(graph, inputs);
  };
  const late = await read(nights, noting, { budget: 60, limit: 0.03 });
  expect(runs).toBe(1);
  const reason = 'Reading the trials took more than 0.03 s, the most that one encoder may take of a fit.';
  expect(rowOf(method.id, late)).toMatchObject({ status: 'failed', reason });
  expect(rowOf('sleep-logistic', late)).toMatchObject({ status: 'scored' });
});

describe('an encoder that would exceed its time budget', () => {
  const random = createRandom(8);
  /** Embeddings that know nothing of the epochs. */
  const knowsNothing: Encoders = (weights) => async (graph, inputs) => {
    const outputs = await standInEncoders(weights)(graph, inputs);
    return Object.fromEntries(
      Object.entries(outputs).map(([name, { dims, data: values }]) => [
        name,
        { dims, data: values.map(() => random() - 0.5) },
      ]),
    );
  };
  const many = simulatedNights({ nights: 4, epochs: 36, classes: 3, seconds: 8 });

  it('is dropped if the first fold shows that it cannot win: its row has trials, score and bound', async () => {
    let epochs = 0;
    const noting: Encoders = (weights) => (graph, inputs) => {
      if (graph === 'epochs') epochs += inputs['z']!.dims[0]!;
      return knowsNothing(weights)(graph, inputs);
    };
    const dropped = await read(many, noting, { budget: 0 });
    expect(Object.keys(dropped.features.sets).filter(isEncoded)).toEqual([]);
    expect(epochs).toBeLessThan(2 * 100);
    const row = rowOf(method.id, dropped);
    expect(row).toMatchObject({
      status: 'dropped',
      balanced_accuracy: expect.any(Number),
      log_loss: expect.any(Number),
    });
    expect(row['reason']).toMatch(
      /^Reading all trials would take about \d+\.\d s, so it was tried on \d+ of them first, of the first fold\. Its/,
    );
    expect(row['reason']).toMatch(
      /balanced accuracy was 0\.\d{3} and its log-loss \d\.\d{3}: \d\.\d{3} more than that of .+\. Behind by more than/,
    );
    expect(rowOf('sleep-logistic', dropped)).toMatchObject({ status: 'scored' });
  });

  it('is kept if it is good, and then reads trials as a quick encoder does', async () => {
    const [kept, quick] = [await read(many, standInEncoders, { budget: 0 }), await read(many)];
    for (const set of sets) expect(kept.features.sets[set], set).toEqual(quick.features.sets[set]);
    expect(kept.encoded!['robust-sleep-net']).toEqual({ seconds: expect.any(Number) });
    expect(rowOf(method.id, kept)).toMatchObject({ status: 'scored' });
  });
});
