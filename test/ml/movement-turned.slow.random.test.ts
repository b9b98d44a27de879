import { beforeAll, expect, test } from 'vitest';
import { movementCard } from '../../ml/encoders/movement/index.ts';
import { extractFeatures } from '../../ml/features/index.ts';
import { createRandom, shuffle } from '../../ml/random.ts';
import { createWorkspace, swappedWarnings, trainClassifier, trainingData } from '../../ml/train/index.ts';
import { runs, seed } from '../support/counts.ts';
import { handSignals } from '../support/hand-trials.ts';
import { designsOf } from './noise-designs.ts';
import { provideStandInMovement } from '../support/stand-in-movement.ts';

const channels = 'FC5 FC1 FC2 FC6 C3 Cz C4 CP5 CP1 CP2 CP6 P3 P4'.split(' ');
const set = `movement/${movementCard.sha256}/bank`;
const network = { head: 'left_right_imagined', positive: 1 } as const;
const encoders = { movement: { hash: movementCard.sha256 } };

beforeAll(() => provideStandInMovement());

function dataOf(sample: ReturnType<typeof handSignals>, labels: readonly string[] = sample.labels) {
  return trainingData(extractFeatures(sample.trials, [set]), labels, null, { kind: 'motor', network });
}
const hasWarning = (data: ReturnType<typeof dataOf>): boolean => swappedWarnings(data, createWorkspace()).length > 0;

test('swapped labels of 60 trials are noticed at least nine times in ten, and right ones never', () => {
  const count = runs(10, 60);
  const noticed = { swapped: 0, right: 0 };
  for (let run = 0; run < count; run += 1)
    for (const kind of ['swapped', 'right'] as const) {
      const sample = handSignals({
        channels,
        trials: 60,
        seed: seed() + run,
        swapped: kind === 'swapped',
        depth: 0.45,
      });
      if (hasWarning(dataOf(sample))) noticed[kind] += 1;
    }
  expect(noticed.swapped).toBeGreaterThanOrEqual(0.9 * count);
  expect(noticed.right).toBe(0);
});

test('labels without information are called swapped at most 20 times in 1,000', () => {
  const pools = 20;
  const each = runs(5, 50);
  let warned = 0;
  for (let pool = 0; pool < pools; pool += 1) {
    const random = createRandom(seed() + 7_000 + pool);
    const known = dataOf(handSignals({ channels, trials: 60, seed: seed() + pool, depth: 0 }));
    for (let i = 0; i < each; i += 1) {
      const labels = Int32Array.from(shuffle([...known.labels], random));
      if (hasWarning({ ...known, labels })) warned += 1;
    }
  }
  // 1,000 runs at p < 0.01 give 10 ± 3; fewer runs get the same bound of four standard deviations.
  expect(warned).toBeLessThanOrEqual(
    pools * each === 1_000 ? 20 : 0.01 * pools * each + 4 * Math.sqrt(0.01 * pools * each),
  );
});

const candidates = [
  'tangent-logistic',
  'movement-network',
  'movement-tangent',
  'movement-features-logistic',
  'movement-average',
];

/** A reduced run takes the designs that fool folds most. */
const designs = Object.entries(designsOf(512)).filter(
  ([name]) => runs(0, 1) === 1 || /exchangeable|overlap by half$|ten blocks/.test(name),
);

test.each(designs)(
  'noise stays at chance with the network among the candidates: %s',
  (_, design) => {
    const count = runs(2, 24);
    const scores = Array.from({ length: count }, (__, run) => {
      const { trials, labels, sessions } = design(createRandom(seed() + run));
      const { report } = trainClassifier(trials, labels, sessions, { kind: 'motor', network, encoders, candidates });
      const corrected = report['corrected'] as { balanced_accuracy: number } | null;
      return corrected!.balanced_accuracy;
    });
    const mean = scores.reduce((a, b) => a + b, 0) / count;
    const spread = Math.sqrt(scores.reduce((sum, value) => sum + (value - mean) ** 2, 0) / count);
    expect(mean - 0.5).toBeLessThanOrEqual(0.02 + (3 * Math.max(spread, 0.06)) / Math.sqrt(count));
  },
  600_000,
);
