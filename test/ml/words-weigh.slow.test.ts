import { describe, expect, it } from 'vitest';
import { createRandom } from '../../ml/random.ts';
import { select } from '../../ml/select/index.ts';
import { datasetShape, predictTrials, trainClassifier } from '../../ml/train/index.ts';
import type { TaskKind, Trials } from '../../ml/types.ts';
import { gaussian, pinkTrials } from './augmentations.ts';

interface Labelled {
  readonly trials: Trials;
  readonly labels: string[];
}

const weights = [1, 0.8, -0.5, 0.6, 0.9, -0.4, 0.5, -0.3, 0.4, 0.2];

/** Trials of 2 s; before the end of one class the channels turn slowly negative. */
function readiness(seed: number, count: number): Labelled {
  const random = createRandom(seed);
  const normal = gaussian(random);
  const trials = pinkTrials(random, { trials: count, channels: 10, samples: 512, rateHz: 256 });
  const labels = Array.from({ length: count }, (_, t) => {
    const moves = random() < 0.5;
    const size = moves ? 40 * (1 + 0.3 * normal()) : 0;
    for (let c = 0; c < 10; c += 1)
      for (let i = 0; i < 512; i += 1)
        trials.data[(t * 10 + c) * 512 + i]! -= size * weights[c]! * Math.exp((i - 512) / 128);
    return moves ? 'movement' : 'rest';
  });
  return { trials, labels };
}

/** Trials of 0.2 s with a response at 0.12 s in one class. */
function shortResponse(seed: number, count: number): Labelled {
  const random = createRandom(seed);
  const trials = pinkTrials(random, { trials: count, channels: 8, samples: 51, rateHz: 256 });
  const labels = Array.from({ length: count }, (_, t) => {
    const target = random() < 0.5;
    const size = target ? 30 : 0;
    for (let c = 0; c < 8; c += 1)
      for (let i = 0; i < 51; i += 1)
        trials.data[(t * 8 + c) * 51 + i]! += size * (1 - c / 10) * Math.exp(-(((i - 30) / 5) ** 2));
    return target ? 'target' : 'other';
  });
  return { trials, labels };
}

/** Accuracy on new trials of a fit that the description calls `kind`. */
function accuracyAs(kind: TaskKind, make: (seed: number, count: number) => Labelled): number {
  const { trials, labels } = make(1, 100);
  const { model } = trainClassifier(trials, labels, null, { kind });
  const fresh = make(2, 300);
  const given = predictTrials(model, fresh.trials, { align: 'none' });
  const [first, second] = model.classes;
  return fresh.labels.filter((label, t) => label === (given[2 * t]! > given[2 * t + 1]! ? first : second)).length / 300;
}

describe('the kind that a description names', () => {
  it.each(['motor', 'erp'] as const)('excludes no method for slow potentials: %s', (kind) => {
    expect(accuracyAs(kind, readiness)).toBeGreaterThan(0.77);
  });

  it.each(['erp', 'motor'] as const)('excludes no method for short trials: %s', (kind) => {
    expect(accuracyAs(kind, shortResponse)).toBeGreaterThan(0.83);
  });

  it.each(['erp', 'motor', 'other'] as const)(
    'leaves covariances, powers, time courses and slow potentials: %s',
    (kind) => {
      const { trials, labels } = readiness(3, 40);
      const ids = select(datasetShape(trials, labels, null, { kind })).candidates.map(({ id }) => id);
      for (const id of [
        'tangent-logistic',
        'log-power-logistic',
        'windowed-means-lda',
        'xdawn-tangent-logistic',
        'slow-potentials-lda',
      ])
        expect(ids).toContain(id);
    },
  );

  it('leaves methods for trials of 0.1 s', () => {
    const { trials, labels } = shortResponse(4, 40);
    const cut = { ...trials, samples: 26, data: trials.data.slice(0, 40 * 8 * 26) };
    for (const kind of ['erp', 'motor', 'other'] as const)
      expect(select(datasetShape(cut, labels, null, { kind })).candidates.length).toBeGreaterThan(1);
  });
});
