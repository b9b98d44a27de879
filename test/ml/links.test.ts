import { describe, expect, it, test } from 'vitest';
import { foldPlan } from '../../ml/evidence/folds.ts';
import { createRandom, shuffle } from '../../ml/random.ts';
import { fingerprintsOf } from '../../ml/signal/index.ts';
import { linksOf } from '../../ml/train/index.ts';
import type { Links } from '../../ml/train/index.ts';
import type { Trials } from '../../ml/types.ts';
import { readRecording, recordingsMissing } from '../support/recordings.ts';
import { windows } from './noise-designs.ts';
import { pick } from './simulated.ts';

const linksIn = (trials: Trials): Links | null =>
  linksOf([{ trials: trials.trials, fingerprints: fingerprintsOf(trials) }]);

/** Some of the trials, in this order. */
const at = (trials: Trials, rows: readonly number[]): Trials =>
  pick({ trials, labels: rows.map(String), sessions: rows.map(String) }, rows).trials;

/** Every channel of every trial with an offset, a linear trend and a scale of its own, rounded to nanovolts. */
function corrected(trials: Trials, seed: number): Trials {
  const random = createRandom(seed);
  const data = trials.data.slice();
  for (let row = 0; row < trials.trials * trials.channels; row += 1) {
    const [offset, trend, scale] = [40 * random(), random() - 0.5, 0.2 + random()];
    for (let i = 0; i < trials.samples; i += 1) {
      const value = (data[row * trials.samples + i]! + offset + trend * i) * scale;
      data[row * trials.samples + i] = Math.round(value * 1e3) / 1e3;
    }
  }
  return { ...trials, data };
}

describe('trials that overlap in the recording', () => {
  const order = shuffle(
    Array.from({ length: 30 }, (_, t) => t),
    createRandom(4),
  );

  it.each([
    [0.3, 1],
    [0.2, 3],
    [0.5, 1],
    [0.5, 10],
    [0.9, 3],
  ])(
    'are found where they overlap by %d, on %d channels, in any order, also corrected each by itself',
    (share, channels) => {
      const step = 256 - Math.round(share * 256);
      const trials = corrected(at(windows(createRandom(2), { trials: 30, channels, samples: 256, step }), order), 3);
      const links = linksIn(trials)!;
      expect(new Set(links.chain).size).toBe(1);
      const first = order.indexOf(0);
      order.forEach((place, row) => expect(links.at[row]! - links.at[first]!).toBeCloseTo((place * step) / 256, 6));
    },
  );

  it('are found where they are the same trial twice', () => {
    const once = windows(createRandom(5), { trials: 12 });
    const links = linksIn(corrected(at(once, [...once.data.slice(0, 12).keys(), 3, 7]), 6))!;
    expect([...links.chain].map((chain, row) => (chain < 0 ? -1 : row)).filter((row) => row >= 0)).toEqual([
      3, 7, 12, 13,
    ]);
    expect([links.chain[12], links.chain[13]]).toEqual([links.chain[3], links.chain[7]]);
  });

  it('are not found in trials that do not overlap, however similar', () => {
    expect(linksIn(windows(createRandom(7), { trials: 200 }))).toBeNull();
    const rhythm = windows(createRandom(8));
    const sine = rhythm.data.map((_, i) => 20 * Math.sin((i % 96) / 4 + Math.floor(i / 288)));
    expect(linksIn({ ...rhythm, data: sine })).toBeNull();
  });

  const real = ['eegmmidb_mi_left_right/S001', 'eegmmidb_eyes/S001', 'ssvep_exo/sub01', 'muse_ssvep/subject1'];
  it.skipIf(recordingsMissing(...real))(
    'are not found in real recordings cut without overlap, and are found if epochs overlap',
    () => {
      const linked = (name: string): number => {
        const { x: data, channels: channelNames, rateHz, trials, samples } = readRecording(name);
        const channels = channelNames.length;
        const links = linksIn({ data, trials, channels, samples, rateHz, sourceRateHz: rateHz, channelNames });
        return links ? links.chain.filter((chain) => chain >= 0).length : 0;
      };
      expect(real.map(linked)).toEqual([0, 0, 0, 0]);
    },
  );
});

describe('the folds of linked trials', () => {
  const classes = ['a', 'b'];
  const random = createRandom(9);
  const labels = (count: number): Int32Array => Int32Array.from({ length: count }, () => (random() < 0.5 ? 1 : 0));
  const overlaps = (links: Links, a: number, b: number): boolean =>
    links.chain[a]! >= 0 &&
    links.chain[a] === links.chain[b] &&
    Math.abs(links.at[a]! - links.at[b]!) < links.seconds - 1e-9;
  const pairs: Links = {
    chain: Int32Array.from({ length: 60 }, (_, t) => t >> 1),
    at: Float64Array.from({ length: 60 }, (_, t) => (t % 2) * 0.4),
    seconds: 1,
  };
  const chain: Links = {
    chain: new Int32Array(60),
    at: Float64Array.from({ length: 60 }, (_, t) => t / 2),
    seconds: 1,
  };

  test.each([
    ['pairs', pairs, null],
    ['a chain through the recording', chain, null],
    ['a chain through two sessions', chain, Int32Array.from({ length: 60 }, (_, t) => (t < 30 ? 0 : 1))],
    ['pairs of one trial in each of two sessions', pairs, Int32Array.from({ length: 60 }, (_, t) => t % 2)],
  ])('never train on what overlaps a test trial, inner fits too: %s', (_, links, sessions) => {
    const data = { labels: labels(60), classes, sessions, links };
    const plan = foldPlan(data, 4);
    expect(plan.withheld).toBeNull();
    const fits = [
      ...plan.folds.map(({ train, test: rows }) => ({ train, rows })),
      ...plan.inner.flatMap(({ train, tests }) =>
        tests.flatMap(({ rows, outer }) => [
          { train, rows },
          { train, rows: plan.folds[outer]!.test },
          { train: rows, rows: plan.folds[outer]!.test },
        ]),
      ),
    ];
    expect(plan.inner.length).toBeGreaterThan(0);
    const leak = fits.filter(({ train, rows }) =>
      train.some((a) => rows.some((b) => a === b || overlaps(links, a, b))),
    );
    expect(leak).toEqual([]);
    for (const { train } of plan.folds) expect(train.length).toBeGreaterThan(20);
    expect(plan.warnings.join(' ')).toMatch(/Overlap: 60 of 60 trials share a stretch of the recording/);
    expect(foldPlan(data, 4)).toEqual(plan);
  });

  test('keep groups together when they split, draw and shuffle trials', () => {
    const own = shuffle(
      Array.from({ length: 30 }, (_, t) => t % 2),
      createRandom(12),
    );
    const data = {
      labels: Int32Array.from({ length: 60 }, (_, t) => own[t >> 1]!),
      classes,
      sessions: null,
      links: pairs,
    };
    const { folds, units, shuffled } = foldPlan(data, 4);
    for (const { test: rows } of folds) for (const row of rows) expect([...rows]).toContain(row ^ 1);
    for (const of of [units!, shuffled!]) expect(new Set(of).size).toBe(30);
  });

  test('are impossible for copies of one trial, and the report gives no evidence', () => {
    const links = { chain: new Int32Array(20), at: new Float64Array(20), seconds: 1 };
    const plan = foldPlan({ labels: labels(20).map((_, t) => ((t * 3) % 4) % 2), classes, sessions: null, links }, 4);
    expect(plan.withheld).toMatch(/No trials can be held out that overlap none of the others/);
    expect(plan.warnings.join(' ')).toMatch(/The same trial twice: 20 of 20 .* no folds could keep them apart/);
  });
});
