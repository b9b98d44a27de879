import { describe, expect, test } from 'vitest';
import { extractFeatures } from '../../ml/features/index.ts';
import { select } from '../../ml/select/index.ts';
import { datasetShape, planFolds, scoreControls, trainClassifier, trainingData } from '../../ml/train/index.ts';
import type { TrainOptions } from '../../ml/train/index.ts';
import { readRecording, recordingsMissing, toTrials } from '../support/recordings.ts';
import { differing } from './artefacts.ts';
import type { Differing } from './artefacts.ts';

const candidates = ['log-power-ridge'];

function reportOf(what: Differing, options: TrainOptions = {}): any {
  const { trials, labels } = differing({ count: 64, samples: 256, ...what });
  return trainClassifier(trials, labels, null, { kind: 'motor', candidates, ...options }).report;
}

const control = (report: any, id: string): any => report.controls.find((row: any) => row.id === id);
const suspicions = (report: any): string[] => report.warnings.filter((text: string) => text.includes('alone reach'));

describe('brain, or blink', () => {
  test('blinks are named if nothing else differs', () => {
    const report = reportOf({ blinks: [0.1, 0.9] });
    expect(report.balanced_accuracy).toBeGreaterThan(0.65);
    expect(control(report, 'eyes')).toMatchObject({ status: 'scored', reason: null });
    expect(control(report, 'eyes').balanced_accuracy).toBeGreaterThan(0.8);
    expect(suspicions(report)).toEqual([expect.stringMatching(/eyes.*Blinks and eye movements.*explain/)]);
  });

  test('muscles are named if nothing else differs', () => {
    const report = reportOf({ muscle: [1, 2.5] });
    expect(control(report, 'muscles').balanced_accuracy).toBeGreaterThan(0.9);
    expect(suspicions(report)[0]).toMatch(/above 40 Hz.*Muscle tension.*would explain it/);
  });

  test.each(['log-power-ridge', 'tangent-logistic'])(
    'wide-band muscle noise at 128 Hz is named, and less is left without it: %s',
    (method) => {
      const { trials, labels } = differing({ count: 80, samples: 512, muscle: [0, 1.6] });
      const data = trials.data.filter((_, i) => i % 2 === 0);
      const at128 = { ...trials, data, samples: 256, rateHz: 128, sourceRateHz: 128 };
      const { report }: { report: any } = trainClassifier(at128, labels, null, {
        kind: 'motor',
        candidates: [method],
      });
      expect(report.balanced_accuracy).toBeGreaterThan(0.75);
      const row = control(report, 'muscles');
      expect(row.balanced_accuracy).toBeGreaterThan(report.balanced_accuracy - 0.1);
      expect(row.without.balanced_accuracy).toBeLessThan(report.balanced_accuracy - 0.1);
      expect(suspicions(report)[0]).toMatch(
        /above 40 Hz.*would explain (?:most of )?it.*Without what they predict the method reaches/,
      );
    },
  );

  describe('a winner that reads covariances is compared with controls that read them', () => {
    /** Adds a signal to two channels, with the same sign in one class and opposite signs in the other. */
    function inPhaseOrNot(pair: readonly [string, string], signal: (t: number, seconds: number) => number) {
      const { trials, labels } = differing({ count: 80, samples: 512 });
      const { channelNames, samples } = trials;
      labels.forEach((label, t) =>
        pair.forEach((name, k) => {
          const from = (t * channelNames.length + channelNames.indexOf(name)) * samples;
          const sign = k > 0 && label === labels[0] ? -1 : 1;
          for (let i = 0; i < samples; i += 1) trials.data[from + i]! += sign * signal(t, i / 256);
        }),
      );
      return { trials, labels };
    }

    test('eyes that move together in one class and apart in the other', () => {
      const at = (t: number): number => 0.3 + ((t * 0.37) % 1.4);
      const { trials, labels } = inPhaseOrNot(
        ['Fp1', 'Fp2'],
        (t, seconds) => (t % 3 ? 60 : -60) * Math.exp(-(((seconds - at(t)) / 0.1) ** 2)),
      );
      const { report }: { report: any } = trainClassifier(trials, labels, null, {
        kind: 'motor',
        candidates: ['tangent-wide-logistic'],
      });
      expect(report.balanced_accuracy).toBeGreaterThan(0.75);
      expect(control(report, 'eyes').balanced_accuracy).toBeGreaterThan(0.85);
      expect(control(report, 'eyes').without.balanced_accuracy).toBeLessThan(0.65);
      expect(suspicions(report)[0]).toMatch(/eyes.*would explain it/);
    });

    test('a rhythm before the cue that two sites share in one class', () => {
      const { trials, labels } = inPhaseOrNot(['C3', 'C4'], (t, seconds) =>
        seconds < 0.5 ? 12 * Math.sin(2 * Math.PI * 10 * seconds + t) : 0,
      );
      const { report }: { report: any } = trainClassifier(trials, labels, null, {
        kind: 'motor',
        candidates: ['tangent-logistic'],
        baselineSeconds: 0.5,
      });
      expect(report.balanced_accuracy).toBeGreaterThan(0.75);
      expect(control(report, 'baseline').balanced_accuracy).toBeGreaterThan(0.85);
      expect(suspicions(report)[0]).toMatch(/before the cue.*Before the cue nothing of the task/);
    });
  });

  test('line noise that is all that differs is named', () => {
    const { trials, labels } = differing({ count: 64, samples: 256 });
    labels.forEach((label, t) => {
      const size = label === labels[0] ? 4 : 0.5;
      for (let at = t * 11 * 256; at < (t + 1) * 11 * 256; at += 1)
        trials.data[at]! += size * Math.sin((2 * Math.PI * 50 * (at % 256)) / 256);
    });
    const { report }: { report: any } = trainClassifier(trials, labels, null, {
      kind: 'motor',
      candidates: ['filter-bank-ridge'],
    });
    expect(control(report, 'mains').balanced_accuracy).toBeGreaterThan(0.9);
  });

  test('a difference before the cue is named if the caller gives the length of that time', () => {
    const report = reportOf({ before: [0, 8] }, { baselineSeconds: 0.5 });
    expect(control(report, 'baseline')).toMatchObject({ status: 'scored' });
    expect(suspicions(report)).toEqual([expect.stringMatching(/before the cue.*Before the cue nothing of the task/)]);
  });

  test('a brain rhythm is not suspected, and every row has a measurement or a reason', () => {
    const report = reportOf({ rhythm: [0, 4] });
    expect(report.corrected.balanced_accuracy).toBeGreaterThan(0.8);
    expect(suspicions(report)).toEqual([]);
    for (const id of ['eyes', 'muscles', 'mains'])
      expect(control(report, id).without.balanced_accuracy).toBeGreaterThan(0.75);
    expect(report.controls.map((row: any) => [row.id, row.status])).toEqual([
      ['eyes', 'scored'],
      ['muscles', 'scored'],
      ['mains', 'scored'],
      ['baseline', 'not_measured'],
    ]);
    expect(control(report, 'baseline')).toMatchObject({
      balanced_accuracy: null,
      interval_95: null,
      reason: expect.stringContaining('`parameters.baseline_seconds`'),
    });
  });
});

describe('a control that cannot be measured says why', () => {
  const { trials, labels } = differing({ count: 24, samples: 256 });
  const sets = ['eyes', 'muscles'];
  const rowsOf = (given: typeof trials, stored = sets, kind: TrainOptions['kind'] = 'motor') => {
    const data = trainingData(extractFeatures(given, stored), labels, null, { kind });
    return Object.fromEntries(scoreControls(data, planFolds(data)).map((row) => [row.id, row.reason]));
  };
  const low = { ...trials, sourceRateHz: 80 };
  const brief = differing({ count: 24, samples: 154 }).trials;
  const back = { ...trials, channelNames: trials.channelNames.map((_, c) => `PO${c + 1}`) };

  test.each([
    ['a rate that holds no 48 Hz', low, sets, 'motor', 'muscles', '80 Hz declared'],
    ['no frontal channel', back, sets, 'motor', 'eyes', 'none of the 11 supplied is one'],
    ['trials of one window below 4 Hz, whose course is nothing', brief, sets, 'motor', 'eyes', 'at least 0.75 s'],
    ['features stored without it', trials, ['eyes'], 'motor', 'muscles', 'were not taken'],
    ['sleep, whose stages are scored by eyes and muscles', trials, sets, 'sleep', 'eyes', 'sleep stages'],
  ] as const)('%s', (_, given, stored, kind, id, reason) => {
    expect(rowsOf(given, [...stored], kind)[id]).toContain(reason);
  });

  test('a recording that was low-passed', () => {
    const data = trials.data.slice();
    for (let at = 0; at < data.length; at += 256)
      for (let i = 0; i < 256; i += 1) data[at + i] = 20 * Math.sin((2 * Math.PI * 10 * (i + at)) / 256);
    expect(rowsOf({ ...trials, data }).muscles).toContain('low-passed');
  });

  test('selection includes the features of the others', () => {
    const shape = datasetShape(low, labels, null, { kind: 'motor', baselineSeconds: 0.5 });
    expect(select(shape).featureSets).toEqual(expect.arrayContaining(['eyes', 'baseline/0.5']));
    expect(select(shape).featureSets).not.toContain('muscles');
  });
});

const recording = 'eegmmidb_mi_hands_feet/S001';
describe.skipIf(recordingsMissing(recording))('on a real recording', () => {
  test('imagined hands and feet are not suspected', () => {
    const real = readRecording(recording);
    const channels = ['Fp1', 'Fp2', 'AF7', 'AF8', 'FC3', 'FC4', 'C3', 'C1', 'Cz', 'C2', 'C4', 'CP3', 'CPz', 'CP4'];
    const { report } = trainClassifier(toTrials(real, undefined, channels), real.labels, real.sessions, {
      kind: 'motor',
      candidates: ['tangent-logistic'],
    });
    expect(control(report, 'eyes').status).toBe('scored');
    expect(control(report, 'muscles').status).toBe('scored');
    expect(suspicions(report)).toEqual([]);
  });
});
