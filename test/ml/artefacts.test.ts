import { expect, test } from 'vitest';
import { artefacts } from '../../ml/evidence/artefacts.ts';
import { createRandom } from '../../ml/random.ts';
import { createWorkspace, planFolds, trainingData } from '../../ml/train/index.ts';
import { foldWithoutArtefacts } from '../../ml/train/without-artefacts.ts';
import { stepsOf } from '../../ml/signal/index.ts';

const [trials, channels] = [48, 3];
const rows = Int32Array.from({ length: trials }, (_, i) => i);

/** Trials that are louder or quieter than the median one by up to `spread` of it, some `times` as loud. */
function found(
  loud: readonly number[],
  times: number,
  { spread = 0.2, among = rows, sessions = null as null | Int32Array } = {},
) {
  const random = createRandom(4);
  const steps = Float64Array.from(
    { length: trials * channels },
    (_, at) =>
      spread * (2 * random() - 1) +
      (loud.includes(Math.floor(at / channels)) && at % channels === 1 ? Math.log(times) : 0),
  );
  const labels = rows.map((row) => row % 2);
  return [...artefacts({ steps, channels, labels, sessions }, among)];
}

test('trials in which one channel moves ten times as much as usual are artefacts; three times is none', () => {
  expect(found([5, 12, 30], 10)).toEqual([5, 12, 30]);
  expect(found([5, 12, 30], 3)).toEqual([]);
  expect(found([5, 12, 30], 10, { among: rows.subarray(0, 20) })).toEqual([5, 12]);
});

test('trials that differ as much from each other are no artefacts', () => {
  expect(found([5, 12, 30], 10, { spread: 1.2 })).toEqual([]);
});

test('a property of a class, a session or many trials is no artefact; a session of one trial may be one', () => {
  const even = [0, 2, 4, 6, 8, 10, 12];
  expect(found(even, 10)).toEqual([]);
  expect(found([0, 3, 4, 7, 8, 11, 12], 10)).toEqual([0, 3, 4, 7, 8, 11, 12]);
  expect(found([...rows.subarray(0, 13)], 10)).toEqual([]);
  const sessions = rows.map((row) => (row < 44 ? 0 : row < 47 ? 1 : 2));
  expect(found([44, 45, 46, 47, 9], 10, { sessions })).toEqual([9, 47]);
});

test('a fold excludes artefacts among its training trials only, tests all trials, and is the same object each time', () => {
  const steps = Float64Array.from({ length: trials }, (_, row) => ([5, 12, 30].includes(row) ? 3 : 0.01 * (row % 5)));
  const shape = { channels: 1, samples: 256, rateHz: 256, sourceRateHz: 256, channelNames: ['Cz'] };
  const features = { trials, shape, sets: { loudness: steps }, versions: { loudness: 1 } };
  const data = trainingData(
    features,
    Array.from(rows, (row) => String(row % 2)),
    null,
  );
  const workspace = createWorkspace();
  const { folds } = planFolds(data);
  for (const fold of folds) {
    const { train, test: tested } = foldWithoutArtefacts(data, fold, workspace);
    expect([...train]).toEqual([...fold.train].filter((row) => ![5, 12, 30].includes(row)));
    expect(tested).toBe(fold.test);
    expect(foldWithoutArtefacts(data, fold, workspace)).toBe(foldWithoutArtefacts(data, fold, workspace));
  }
  const quiet = { ...data, features: { ...features, sets: { loudness: steps.map(() => 0) } } };
  expect(foldWithoutArtefacts(quiet, folds[0]!, workspace)).toBe(folds[0]);
  expect(foldWithoutArtefacts({ ...data, features: { ...features, sets: {} } }, folds[0]!, workspace)).toBe(folds[0]);
});

test('a blink, a drift and an offset hardly move a channel in 20 ms, a rhythm and a pop do', () => {
  const step = (signal: (seconds: number) => number) =>
    stepsOf(
      Float32Array.from({ length: 512 }, (_, i) => signal(i / 256)),
      1,
      512,
      256,
    )[0]!;
  const rhythm = step((s) => 10 * Math.sin(2 * Math.PI * 10 * s));
  expect(step((s) => 5_000 + 50 * s)).toBeLessThan(0.2 * rhythm);
  expect(step((s) => 150 * Math.exp(-(((s - 1) / 0.15) ** 2)))).toBeLessThan(2 * rhythm);
  expect(step((s) => (s > 1 ? 500 : 0))).toBeGreaterThan(5 * rhythm);
});
