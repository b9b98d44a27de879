import { expect, test } from 'vitest';
import { predictTrials, trainClassifier } from '../../ml/train/index.ts';
import { pick, simulated, type Simulated } from './simulated.ts';

const [channels, samples, dead] = [6, 256, 7];
const all = simulated({ count: 120, channels, samples, strength: 0.9, seed: 3 });
const few = pick(all, [...Array(45).keys()]);
const later = pick(
  all,
  [...Array(75).keys()].map((i) => i + 45),
);
const candidates = ['mdm', 'fgmdm', 'csp-lda'];

const changed = (sample: Simulated, value: (v: number, trial: number, channel: number) => number): Simulated => ({
  ...sample,
  trials: {
    ...sample.trials,
    data: sample.trials.data.map((v, i) =>
      value(v, Math.floor(i / (channels * samples)), Math.floor((i % (channels * samples)) / samples)),
    ),
  },
});

const train = (sample: Simulated, ids = candidates) =>
  trainClassifier(sample.trials, sample.labels, null, { kind: 'motor', candidates: ids });

function accuracyOf({ model }: ReturnType<typeof train>): number {
  const p = predictTrials(model, later.trials, { align: 'none' });
  const right = later.labels.filter((label, i) => p[2 * i + model.classes.indexOf(label)]! > 0.5);
  return right.length / later.labels.length;
}

test.each([
  ['of zeros', 0],
  ['of an unplugged amplifier', 2e-3],
])('a trial %s is left out of the fit, and the report says so', (_, factor) => {
  const spoilt = train(changed(few, (v, trial) => (trial === dead ? factor * v : v)));
  const without = train(
    pick(
      few,
      [...few.labels.keys()].filter((row) => row !== dead),
    ),
  );
  expect(spoilt.report.warnings.join(' ')).toMatch(/Flat trials: 1 of 45 .*\(7\)\. The fit leaves flat trials out\./);
  expect(spoilt.report['trials']).toBe(44);
  expect(spoilt.report.balanced_accuracy).toBe(without.report.balanced_accuracy);
  for (const id of candidates) {
    const scoreIn = ({ report }: typeof spoilt) =>
      (report['methods'] as { id: string; balanced_accuracy: number }[]).find((row) => row.id === id)!
        .balanced_accuracy;
    expect(scoreIn(spoilt)).toBe(scoreIn(without));
  }
});

test('a flat trial is answered with the prior and changes nothing for the batch it came in', () => {
  const { model } = train(few, ['csp-lda']);
  const spoilt = changed(later, (v, trial) => (trial === dead ? 5 : v));
  const rows = [...later.labels.keys()].filter((row) => row !== dead);
  for (const align of ['none', 'batch'] as const) {
    const p = predictTrials(model, spoilt.trials, { align });
    expect([...p.subarray(2 * dead, 2 * dead + 2)]).toEqual([0.5, 0.5]);
    const own = predictTrials(model, pick(later, rows).trials, { align });
    expect(rows.flatMap((row) => [...p.subarray(2 * row, 2 * row + 2)])).toEqual([...own]);
  }
});

test.each(['mdm', 'fgmdm', 'csp-lda'])(
  '%s: a channel that was flat in the fit is not read when it comes alive',
  (id) => {
    const clean = accuracyOf(train(few, [id]));
    for (const [factor, channel] of [
      [0, 2],
      [1e-5, 3],
    ] as const) {
      const fitted = train(
        changed(few, (v, _, c) => (c === channel ? factor * v : v)),
        [id],
      );
      expect(fitted.model.shape.silent).toEqual([few.trials.channelNames[channel]]);
      expect(fitted.report.warnings.join(' ')).toMatch(/Flat channels: .* nor do predictions later/);
      expect(accuracyOf(fitted)).toBeGreaterThan(clean - 0.1);
    }
  },
);

test.each([
  ['in every channel', (_: number) => true],
  ['in one channel', (channel: number) => channel === 2],
])('a trial at a hundred times the amplitude %s costs what leaving it out does', (_, hit) => {
  const spoilt = train(changed(few, (v, trial, channel) => (trial === dead && hit(channel) ? 100 * v : v)));
  const rows = [...few.labels.keys()].filter((row) => row !== dead);
  expect(spoilt.report.warnings.join(' ')).toMatch(/Artefacts: in 1 of 45 trials \(7\).* The fit leaves them out\./);
  expect(spoilt.report['trials']).toBe(44);
  expect(spoilt.report.balanced_accuracy).toBe(train(pick(few, rows)).report.balanced_accuracy);
});

test.each([10, 20, 40])(
  'three of 45 trials at %i times the amplitude are scored, and no fit learns from them',
  (times) => {
    const loud = [7, 16, 25];
    const spoilt = train(changed(few, (v, trial) => (loud.includes(trial) ? times * v : v)));
    expect(spoilt.report.warnings.join(' ')).toMatch(
      /Artefacts: in 3 of 45 trials \(7, 16, 25\).* learns from the others/,
    );
    expect(spoilt.report['trials']).toBe(45);
    const rows = [...few.labels.keys()].filter((row) => !loud.includes(row));
    const without = train(pick(few, rows));
    const [own, expected] = [spoilt, without].map(({ model }) => predictTrials(model, later.trials, { align: 'none' }));
    expect(Math.max(...own!.map((p, i) => Math.abs(p - expected![i]!)))).toBeLessThan(0.2);
    expect(spoilt.report.balanced_accuracy).toBeGreaterThan(without.report.balanced_accuracy - 0.07);
  },
);

test('patterns are drawn from the trials that the fit learned from', () => {
  const loud = [7, 16, 25];
  const spoilt = changed(few, (v, trial) => (loud.includes(trial) ? 20 * v : v));
  const without = pick(
    few,
    [...few.labels.keys()].filter((row) => !loud.includes(row)),
  );
  const [drawn, undisturbed] = [spoilt, without].map(
    (sample) => train(sample, ['log-power-ridge']).report['patterns'] as any,
  );
  expect(drawn.components.length).toBeGreaterThan(1);
  expect(drawn).toEqual(undisturbed);
});

test('a channel that drops out for a part of one trial costs almost no accuracy', () => {
  const [from, to] = [60, 200];
  const data = few.trials.data.map((v, i) => {
    const [trial, channel, at] = [
      Math.floor(i / (channels * samples)),
      Math.floor(i / samples) % channels,
      i % samples,
    ];
    return trial === dead && channel === 2 && at >= from && at < to ? 0 : v;
  });
  const rows = [...few.labels.keys()].filter((row) => row !== dead);
  const without = train(pick(few, rows)).report.balanced_accuracy;
  const { report } = train({ ...few, trials: { ...few.trials, data } });
  expect(report.balanced_accuracy).toBeGreaterThan(without - 0.05);
});
