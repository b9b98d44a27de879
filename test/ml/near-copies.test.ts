import { describe, expect, it, test } from 'vitest';
import { checkTrials } from '../../ml/checks/index.ts';
import { fingerprintsOf } from '../../ml/signal/index.ts';
import { sketchSize } from '../../ml/fingerprints.ts';
import { nearCopiesInSteps } from '../../ml/evidence/near-copies.ts';
import { foldPlan } from '../../ml/evidence/folds.ts';
import { linksOf } from '../../ml/train/index.ts';
import type { Links } from '../../ml/train/index.ts';
import type { Trials } from '../../ml/types.ts';
import { listRecordings, readRecording, recordingsMissing } from '../support/recordings.ts';
import { augmentations, joinTrials, pinkTrials, seeded } from './augmentations.ts';

const count = 60;

const linksIn = (...batches: readonly Trials[]): Links | null =>
  linksOf(batches.map((trials) => ({ trials: trials.trials, fingerprints: fingerprintsOf(trials) })));

/** Originals that share a chain with their copy. */
const linked = ({ chain }: Links): number =>
  Array.from({ length: count }, (_, t) => t).filter((t) => chain[t]! >= 0 && chain[t] === chain[t + count]).length;

describe.each(Object.entries(augmentations))('copies of trials, %s', (name, augment) => {
  it('are linked to their originals', () => {
    const original = pinkTrials(seeded(1), { samples: 256, rateHz: 256 });
    const links = linksIn(joinTrials(original, augment(original, seeded(2))))!;
    expect(linked(links)).toBeGreaterThanOrEqual(0.95 * count);
    if (!name.startsWith('mixed')) expect(Math.max(...sizes(links))).toBe(2);
  });

  it('are linked across batches of a deferred fit', () => {
    const original = pinkTrials(seeded(3));
    expect(linked(linksIn(original, augment(original, seeded(4)))!)).toBeGreaterThanOrEqual(0.95 * count);
  });
});

const sizes = ({ chain }: Links): number[] =>
  [
    ...Map.groupBy(
      chain.filter((each) => each >= 0),
      (each) => each,
    ).values(),
  ].map(({ length }) => length);

test('three copies of each trial are one group with it', () => {
  const original = pinkTrials(seeded(5));
  const copies = ['noise of 100 %', 'reversed in time', 'stretched by 5 %'].map((name, i) =>
    augmentations[name]!(original, seeded(6 + i)),
  );
  const all = sizes(linksIn(joinTrials(original, ...copies))!);
  expect(all.length).toBeLessThanOrEqual(count);
  expect(all.filter((size) => size === 4).length).toBeGreaterThanOrEqual(0.9 * count);
});

test('copies among many trials are found', () => {
  const form = { trials: 600, channels: 3, samples: 128 };
  const original = pinkTrials(seeded(11), form);
  const both = joinTrials(original, augmentations['noise of 30 %']!(original, seeded(12)));
  const { chain } = linksIn(both)!;
  const found = Array.from({ length: 600 }, (_, t) => chain[t]! >= 0 && chain[t] === chain[t + 600]).filter(Boolean);
  expect(found.length).toBeGreaterThan(590);
});

test('many trials are compared in blocks, with a pause after each', () => {
  const trials = 2_048;
  const random = seeded(13);
  const sketches = Int8Array.from({ length: trials * 2 * sketchSize }, () => Math.round(40 * (random() - 0.5)));
  const steps = nearCopiesInSteps({ sketches, first: new Int32Array(trials + 1) });
  let pauses = 0;
  while (!steps.next().done) pauses += 1;
  expect(pauses).toBeGreaterThanOrEqual(trials / 128);
});

test.each([4, 5, 6, 7])('a copy among %i trials is found, and nothing else is linked', (trials) => {
  for (const name of ['noise of 30 %', 'reversed in time', 'stretched by 5 %']) {
    const original = pinkTrials(seeded(50 + trials), { trials: trials - 1, rateHz: 256 });
    const first = { ...original, trials: 1, data: original.data.slice(0, original.data.length / (trials - 1)) };
    const { chain } = linksIn(joinTrials(original, augmentations[name]!(first, seeded(60 + trials))))!;
    expect([name, ...chain]).toEqual([name, 0, ...Array.from({ length: trials - 2 }, () => -1), 0]);
    expect(linksIn(original)).toBeNull();
  }
});

test('independent trials are not linked', () => {
  for (let run = 0; run < 4; run += 1) {
    expect(linksIn(pinkTrials(seeded(20 + run)))).toBeNull();
    expect(linksIn(pinkTrials(seeded(40 + run), { channels: 2, samples: 128, trials: 20 }))).toBeNull();
  }
});

const real = listRecordings();
test.skipIf(recordingsMissing(...(real.length > 0 ? real : ['eegmmidb_eyes/S001'])))(
  'no trials of real recordings are taken for altered copies',
  () => {
    const found = real.map((name) => {
      const { x, channels: channelNames, rateHz, trials: all, samples } = readRecording(name);
      const [channels, trials] = [channelNames.length, Math.min(all, 250)];
      const data = x.subarray(0, trials * channels * samples);
      const links = linksIn({ data, trials, channels, samples, rateHz, sourceRateHz: rateHz, channelNames });
      return [name, links?.altered?.filter(Boolean).length ?? 0];
    });
    expect(found).toEqual(real.map((name) => [name, 0]));
  },
);

test.skipIf(recordingsMissing(...(real.length > 0 ? real : ['eegmmidb_eyes/S001'])))(
  'no few trials of real recordings are taken for altered copies',
  () => {
    for (const name of real) {
      const { x, channels: channelNames, rateHz, trials: all, samples } = readRecording(name);
      const channels = channelNames.length;
      for (const trials of [4, 5, 6, 7])
        for (let from = 0; from + trials <= Math.min(all, 28); from += trials) {
          const data = x.slice(from * channels * samples, (from + trials) * channels * samples);
          const links = linksIn({ data, trials, channels, samples, rateHz, sourceRateHz: rateHz, channelNames });
          expect([name, from, trials, links?.altered ?? null]).toEqual([name, from, trials, null]);
        }
    }
  },
);

describe('the report of augmented trials', () => {
  const original = pinkTrials(seeded(8), { trials: 20 });
  const labels = Array.from({ length: 40 }, (_, t) => `class ${(t % 20) % 2}`);
  const both = joinTrials(original, augmentations['noise of 30 %']!(original, seeded(9)));

  it('counts them, and the check before the fit names pairs', () => {
    const links = linksIn(both)!;
    const own = {
      labels: Int32Array.from(labels, (label) => Number(label.at(-1))),
      classes: ['a', 'b'],
      sessions: null,
    };
    expect(foldPlan({ ...own, links }, 6).warnings.join(' ')).toMatch(
      /Augmented copies: 40 of 40 trials are likely altered copies .* \(20 groups in all\): all trials of a group stay/,
    );
    const finding = checkTrials({ trials: both, labels, sessions: null, whole: true }).find(
      ({ check }) => check === 'augmented_copies',
    );
    expect(finding?.message).toMatch(/20 trials are likely altered copies .*\(0 and 20, 1 and 21/);
  });

  it('withholds the evidence and gives counts where a class is one trial and its copies', () => {
    const base = pinkTrials(seeded(10), { trials: 12 });
    const repeated = joinTrials(
      base,
      ...Array.from({ length: 9 }, (_, i) =>
        augmentations['noise of 30 %']!(
          { ...base, trials: 1, data: base.data.slice(0, base.data.length / 12) },
          seeded(30 + i),
        ),
      ),
    );
    const links = linksIn(repeated)!;
    const own = Int32Array.from({ length: 21 }, (_, t) => (t === 0 || t >= 12 ? 0 : 1));
    const plan = foldPlan({ labels: own, classes: ['a', 'b'], sessions: null, links }, 6);
    expect(plan.withheld).toMatch(/Independent groups of trials: a: 1, b: 11; each class needs two or more/);
    expect(plan.folds.length).toBeGreaterThan(1);
  });
});
