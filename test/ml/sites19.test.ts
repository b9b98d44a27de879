import { describe, expect, it } from 'vitest';
import { fillSites19, headPositionOf, mniToHead, positionOf, sites19 } from '../../ml/channels/index.ts';
import { extractFeatures, featureSet } from '../../ml/features/index.ts';
import { surfaceLaplacian } from '../../ml/features/surface-laplacian.ts';
import { createWorkspace, methods } from '../../ml/methods/index.ts';
import {
  datasetShape,
  fitWinner,
  planFolds,
  predictTrials,
  scoreCandidate,
  trainClassifier,
  trainingData,
} from '../../ml/train/index.ts';
import type { Trials } from '../../ml/types.ts';
import golden from './golden/surface-laplacian.json' with { type: 'json' };
import { relativeError } from './noise.ts';
import { simulated } from './simulated.ts';
import type { Simulated } from './simulated.ts';

const set = 'sites19/logpower';
const bands = 14;
const named = (sample: Simulated, channelNames: readonly string[], more: Partial<Trials> = {}): Simulated => ({
  ...sample,
  trials: { ...sample.trials, channelNames, ...more },
});
const sample = simulated({ count: 40, channels: 3, samples: 512 });
const eight = simulated({ count: 40, channels: 8, samples: 512 });
const featuresOf = (trials: Trials, id = set) => extractFeatures(trials, [id]).sets[id]!;
const siteOf = (values: Float64Array, site: string): number[] => [
  ...values.subarray(sites19.indexOf(site) * bands, (sites19.indexOf(site) + 1) * bands),
];
const method = (id: string) => methods.find((row) => row.id === id)!;
const shapeOf = ({ trials, labels, sessions }: Simulated, options = {}) =>
  datasetShape(trials, labels, sessions, options);

describe('the 19 fixed sites', () => {
  it('take their own electrode by name, else the nearest within 60 mm, else stay silent', () => {
    const { trials } = named(sample, ['C3', 'FCz', 'O1']);
    const values = featuresOf(trials);
    expect(siteOf(values, 'C3').some((value) => value !== 0)).toBe(true);
    expect(siteOf(values, 'Cz')).toEqual(siteOf(values, 'Fz'));
    expect(siteOf(values, 'F8')).toEqual(siteOf(values, 'T8'));
    expect(siteOf(values, 'T8').every((value) => value === 0)).toBe(true);
  });

  it('are fed by the positions of the caller, and the frame they are in counts', () => {
    const { trials } = named(sample, ['C3', 'AFz', 'POz']);
    const inFrame = (of: (name: string) => readonly [number, number, number]) =>
      featuresOf({ ...trials, positions: trials.channelNames.map(of) });
    const template = featuresOf(trials);
    expect(inFrame((name) => headPositionOf(name)!)).toEqual(template);
    expect(inFrame((name) => mniToHead(positionOf(name)!))).toEqual(template);
    const moved = inFrame((name) => headPositionOf(name === 'AFz' ? 'P8' : name)!);
    expect(siteOf(moved, 'P8')).toEqual(siteOf(template, 'Fz'));
    const borderline = trials.channelNames.map((name) => positionOf(name)!);
    const [declaredHead, declaredMni] = [
      fillSites19(trials.channelNames, borderline),
      fillSites19(trials.channelNames, borderline.map(mniToHead)),
    ];
    expect(declaredHead.borrowed).not.toEqual(declaredMni.borrowed);
  });

  it('do not depend on the gain of an electrode', () => {
    const louder = { ...sample.trials, data: sample.trials.data.map((value) => 8 * value) };
    expect(relativeError(featuresOf(louder), featuresOf(sample.trials))).toBeLessThan(1e-9);
  });

  it('read long trials in windows of 4 s, strideSeconds apart', () => {
    const { trials } = simulated({ count: 4, channels: 3, samples: 2560 });
    const cut = (from: number): Trials => {
      const data = new Float32Array(4 * 3 * 1024);
      for (let row = 0; row < 12; row += 1)
        data.set(trials.data.subarray(row * 2560 + from, row * 2560 + from + 1024), row * 1024);
      return { ...trials, data, samples: 1024 };
    };
    const mean = (...starts: number[]) =>
      starts
        .map((from) => featuresOf(cut(from)))
        .reduce(
          (sum, part) => sum.map((value, i) => value + part[i]! / starts.length),
          new Float64Array(4 * 19 * bands),
        );
    expect(relativeError(featuresOf(trials), mean(0, 1024))).toBeLessThan(1e-12);
    expect(featuresOf({ ...trials, strideSeconds: 0.001 })).toEqual(featuresOf({ ...trials, strideSeconds: 0.5 }));
    expect(relativeError(featuresOf({ ...trials, strideSeconds: 2 }), mean(0, 512, 1024, 1536))).toBeLessThan(1e-12);
  });

  it('that are silent change nothing, whether they were silent in training or are now', () => {
    const fit = ({ trials, labels, sessions }: Simulated) =>
      fitWinner(
        { method: 'fixed-sites-logistic', version: '1', temperature: 1, explanation: '' },
        trainingData(extractFeatures(trials, [set]), labels, sessions),
        createWorkspace(),
      );
    const near = named(sample, ['C3', 'Cz', 'C4']);
    const far: Partial<Trials> = {
      positions: ['C3', 'Cz', 'C4'].map(
        (name) => headPositionOf(name)!.map((metres) => 5 * metres) as unknown as readonly [number, number, number],
      ),
    };
    const few = predictTrials(fit({ ...near, trials: { ...near.trials, ...far } }), near.trials, { align: 'none' });
    expect([...few].every((value) => value > 0 && value < 1)).toBe(true);
    const model = fit(near);
    const right = (answers: Float64Array) =>
      near.labels.filter((label, i) => (answers[2 * i + 1]! > 0.5 ? 'class 1' : 'class 0') === label).length /
      near.labels.length;
    expect(right(predictTrials(model, { ...near.trials, ...far }, { align: 'none' }))).toBeGreaterThan(0.55);
    expect(right(few)).toBeGreaterThan(0.55);
  });
});

describe('the methods on positions', () => {
  it('of 19 sites are skipped, missing sites named, where these are rejected or too few sites are fed', () => {
    const { report } = trainClassifier(sample.trials, sample.labels, null, {
      missingChannels: 'reject',
      candidates: ['log-power-logistic'],
    });
    expect(JSON.stringify(report)).toMatch(
      /missing_channels is \\"reject\\": 16 of them are not among the 3 channels supplied \(Fp1, Fp2, F7/,
    );
    const { unreadable } = method('fixed-sites-logistic');
    expect(unreadable(shapeOf(sample))).toBeNull();
    expect(unreadable(shapeOf(named(simulated({ channels: 1, samples: 512 }), ['Cz'])))).toMatch(
      /needs 2 of them; \d can be fed from the 1 channels/,
    );
    const all = simulated({ channels: 8, samples: 512 });
    expect(unreadable({ ...shapeOf(all), channelNames: sites19, missingChannels: 'reject' })).toBeNull();
  });

  it('of the surface Laplacian need a position and a place of its own for each of 8 channels or more', () => {
    const { unreadable } = method('laplacian-power-ridge');
    const shape = shapeOf(eight);
    expect(unreadable(shape)).toBeNull();
    expect(unreadable(shapeOf(sample))).toMatch(/at least 8 channels.*3 supplied/);
    expect(
      unreadable({ ...shape, channelNames: shape.channelNames.map((name, i) => (i === 2 ? 'X1' : name)) }),
    ).toMatch(/1 of 8 have none \(X1\)/);
    expect(unreadable({ ...shape, positions: shape.channelNames.map(() => [0, 0, 0.1] as const) })).toMatch(
      /positions of C3 and Cz .* agree to 1 mm/,
    );
  });

  it.each(['fixed-sites-logistic', 'laplacian-power-ridge'])(
    '%s learns a clear difference, above chance on trials left out',
    (id) => {
      const { trials, labels } = simulated({ count: 60, channels: 8, samples: 512, strength: 2 });
      const data = trainingData(extractFeatures(trials, method(id).featureSets({})), labels, null);
      const score = scoreCandidate(id, data, planFolds(data));
      expect(score.reason).toBeNull();
      expect(score.balancedAccuracy).toBeGreaterThan(0.75);
    },
  );
});

describe('the surface Laplacian', () => {
  it('equals mne.preprocessing.compute_current_source_density', () => {
    const matrix = surfaceLaplacian(golden.positions as [number, number, number][], [0, 0, 0]).data;
    expect(
      relativeError(
        matrix.map((value) => value / golden.radius ** 2),
        golden.density.flat(),
      ),
    ).toBeLessThan(1e-9);
  });

  it('ignores a signal common to all electrodes', () => {
    const matrix = surfaceLaplacian(eight.trials.channelNames.map((name) => headPositionOf(name)!)).data;
    for (let row = 0; row < 8; row += 1)
      expect(Math.abs(matrix.subarray(row * 8, row * 8 + 8).reduce((a, b) => a + b))).toBeLessThan(
        1e-6 * Math.abs(matrix[row * 9]!),
      );
  });

  it('follows the positions of the caller', () => {
    const id = 'laplacian/logpower';
    const template = featuresOf(eight.trials, id);
    const positions = eight.trials.channelNames.map((name) => headPositionOf(name)!);
    expect(featuresOf({ ...eight.trials, positions }, id)).toEqual(template);
    expect(featuresOf({ ...eight.trials, positions: [...positions.slice(1), positions[0]!] }, id)).not.toEqual(
      template,
    );
    expect(featureSet(id).dimension({ ...eight.trials, channelNames: eight.trials.channelNames.map(() => 'X') })).toBe(
      0,
    );
  });
});

describe('recordings named by a normalization context', () => {
  const { trials, labels } = simulated({ count: 40, channels: 4, samples: 512 });
  const recordings = labels.map((_, i) => (i % 4 < 2 ? 'a' : 'b'));
  const louder = {
    ...trials,
    data: trials.data.map((value, i) => (recordings[Math.floor(i / (4 * 512))] === 'a' ? 3 * value : value)),
  };

  it('are recentred by themselves where no sessions are named, and are not held out', () => {
    const features = extractFeatures(louder, ['cov/8-32']);
    const [plain, grouped] = [
      trainingData(features, labels, null),
      trainingData(features, labels, null, { recordings }),
    ];
    expect(planFolds(grouped)).toEqual(planFolds(plain));
    const scores = [plain, grouped].map((data) => scoreCandidate('tangent-logistic-recentred', data, planFolds(data)));
    expect(scores[0]!.outOfFold).not.toEqual(scores[1]!.outOfFold);
    expect(
      method('tangent-logistic-recentred').unreadable(datasetShape(louder, labels, null, { recordings })),
    ).toBeNull();
    expect(method('tangent-logistic-recentred').unreadable(datasetShape(louder, labels, null, {}))).toMatch(
      /needs 2 sessions/,
    );
  });
});
