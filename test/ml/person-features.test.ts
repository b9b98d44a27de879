import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { dataSetOf } from '../../infra/contract/reference-data/data-sets.ts';
import { readRun } from '../../infra/recordings/reference-data/run.ts';
import { findTrials } from '../support/reference-trials.ts';
import { extractFeatures } from '../../ml/features/index.ts';
import { packedSize } from '../../ml/geometry/index.ts';
import { personFeatures } from '../../ml/reference-fits/person-features.ts';
import type { ReferenceSignal } from '../../ml/reference-fits/types.ts';
import { resample } from '../../ml/signal/index.ts';
import { dataFolder } from '../support/recordings.ts';

const classes = ['a', 'b'];
const noise = (samples: number, seed: number): Float32Array =>
  Float32Array.from(
    { length: samples },
    (_, i) => 20 * Math.sin(i * (0.31 + seed / 7)) + 9 * Math.sin(i * i * 0.017 + seed),
  );

const simulated = (stretches: ReferenceSignal['stretches']): ReferenceSignal => ({
  run: '01',
  electrodes: ['C3', 'Cz', 'C4'],
  rateHz: 256,
  signal: [1, 2, 3].map((seed) => noise(256 * 30, seed)),
  stretches,
});

it('sums slices to what the whole stretch gives', () => {
  const whole = simulated([{ classId: 'a', from: 1000, samples: 1024 }]);
  const halves = simulated([
    { classId: 'a', from: 1000, samples: 512 },
    { classId: 'a', from: 1512, samples: 512 },
  ]);
  const [one, two] = [whole, halves].map((run) => personFeatures('P', [run], { kind: 'motor', classes }));
  expect([...one.first]).toEqual([0, 8]);
  expect([...two.first]).toEqual([0, 4, 8]);
  expect(one.values).toEqual(two.values);
});

it('stores the movement of each electrode, as the feature set of own trials has it', () => {
  const run = simulated([{ classId: 'a', from: 1000, samples: 1024 }]);
  const { steps } = personFeatures('P', [run], { kind: 'motor', classes });
  const data = Float32Array.from(run.signal.flatMap((row) => [...row.subarray(1000, 2024)]));
  const trials = { data, trials: 1, channels: 3, samples: 1024, rateHz: 256, sourceRateHz: 256 };
  const { loudness } = extractFeatures({ ...trials, channelNames: run.electrodes }, ['loudness']).sets;
  [0, 1, 2].forEach((c) => {
    const squares = Array.from({ length: 8 }, (_, slice) => steps[3 * slice + c]!);
    expect(Math.log(squares.reduce((sum, square) => sum + square / 8, 0)) / 2).toBeCloseTo(loudness[c]!, 2);
  });
});

it('stores whole slices inside the run, and means over 50 ms for evoked responses', () => {
  const run = simulated([
    { classId: 'b', from: 256 * 29, samples: 1024 },
    { classId: 'a', from: 0, samples: 230 },
  ]);
  const moments = personFeatures('P', [run], { kind: 'other', classes });
  expect([moments.kind, ...moments.first, ...moments.classIds]).toEqual(['moments', 0, 2, 3, 'b', 'a']);
  expect(moments.values.length).toBe(3 * packedSize(3));
  const means = personFeatures('P', [run], { kind: 'erp', classes });
  expect([means.kind, means.seconds, ...means.first]).toEqual(['means', 0.05, 0, 20, 37]);
  expect(means.values.length).toBe(37 * 3);
});

it('refuses runs of other electrodes', () => {
  const run = simulated([]);
  expect(() =>
    personFeatures('P', [run, { ...run, run: '02', electrodes: ['C3', 'Cz', 'Pz'] }], { kind: 'motor', classes }),
  ).toThrow('Run 02 of P has other electrodes than run 01.');
});

const at = path.join(dataFolder, 'eegmmidb/1.0.0/S001/S001R04.edf');
if (!existsSync(at))
  process.stderr.write(`\nSKIPPED: ${at} is not there (set EEG_DATA to the folder of the real sets)\n`);

it.skipIf(!existsSync(at))(
  'is close to the covariances of the feature set on whole trials of a recording',
  async () => {
    const set = dataSetOf('eegmmidb');
    const task = set.tasks.find(({ id }) => id === 'left-right-fist-imagined')!;
    const held = { person: 'S001', run: '04', path: '', bytes: null, sha256: '', at, published: true };
    const { electrodes, rateHz, signal, annotations, run } = await readRun(held, set);
    const found = findTrials({ at, run, annotations, rateHz, signal }, task, 4);
    const some = [0, 8, 10, 12];
    const own = some.map((c) => signal[c]);
    const names = some.map((c) => electrodes[c]);
    const stretches = found.map(({ classId, from }) => ({ classId, from, samples: 4 * rateHz }));
    const stored = personFeatures('S001', [{ run, electrodes: names, rateHz, signal: own, stretches }], task as never);
    const size = packedSize(4);
    found.forEach(({ from }, t) => {
      const trial = Float32Array.from(own.flatMap((row) => [...row.subarray(from, from + 4 * rateHz)]));
      const { data, samples } = resample(trial, 4, 4 * rateHz, rateHz, 256);
      const trials = { data, trials: 1, channels: 4, samples, rateHz: 256, sourceRateHz: rateHz, channelNames: names };
      const recipe = extractFeatures(trials, ['cov/8-32']).sets['cov/8-32'];
      const slices = stored.first[t + 1] - stored.first[t];
      const summed = Float64Array.from({ length: size }, (_, j) => {
        let sum = 0;
        for (let s = 0; s < slices; s += 1) sum += stored.values[(stored.first[t] + s) * size + j];
        return sum / slices;
      });
      const distance = Math.sqrt(summed.reduce((all, v, j) => all + (v - recipe[j]) ** 2, 0));
      expect(distance / Math.sqrt(recipe.reduce((all, v) => all + v * v, 0))).toBeLessThan(0.15);
    });
  },
);
