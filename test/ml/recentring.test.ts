import { expect, test } from 'vitest';
import { extractFeatures } from '../../ml/features/index.ts';
import { balancedAccuracy, decisions } from '../../ml/evidence/scores.ts';
import { createWorkspace } from '../../ml/methods/index.ts';
import { alignBatch, centreOf } from '../../ml/methods/recentring.ts';
import { averageOf, layoutOf, meanOf } from '../../ml/methods/parts/spd.ts';
import { planFolds, scoreCandidate, trainingData } from '../../ml/train/index.ts';
import { relativeError } from './noise.ts';
import { simulated } from './simulated.ts';

const set = 'cov/8-32';
const { trials, labels, sessions } = simulated({ count: 48, channels: 4, samples: 512, strength: 1.5 });
const all = Int32Array.from({ length: 48 }, (_, row) => row);
const times = (by: number) => ({ ...trials, data: trials.data.map((value) => value * by) });

test.each(['riemannian', 'euclidean'] as const)(
  'a %s centre is the mean it says, and a batch is moved onto it as far as its size is trusted',
  (centring) => {
    const data = trainingData(extractFeatures(trials, [set]), labels, null);
    const workspace = createWorkspace();
    const layout = layoutOf(data.features, set, true);
    const mean = (features: typeof data.features) =>
      centring === 'euclidean'
        ? averageOf(features, set, layout, 0, all)
        : meanOf(features, set, layout, 0, all, workspace);
    const centre = centreOf(data, set, all, workspace, centring)!;
    expect(relativeError(centre, mean(data.features))).toBeLessThan(1e-12);
    const moved = alignBatch(extractFeatures(times(3), [set]), { [set]: centre }, workspace, centring);
    const left = 9 ** (8 / (48 + 8));
    expect(
      relativeError(
        mean(moved),
        centre.map((value) => value * left),
      ),
    ).toBeLessThan(1e-6);
  },
);

test('Euclidean alignment reads a session of one louder channel better than the plain method', () => {
  const size = trials.channels * trials.samples;
  const louder = (at: number): boolean =>
    sessions[Math.floor(at / size)] === 'second' && Math.floor((at % size) / trials.samples) === 0;
  const data = trials.data.map((value, at) => (louder(at) ? value * 8 : value));
  const training = trainingData(extractFeatures({ ...trials, data }, [set]), labels, sessions);
  const plan = planFolds(training);
  expect(plan.validation).toBe('sessions');
  const [plain, aligned] = ['csp-lda', 'csp-lda-aligned'].map((id) => scoreCandidate(id, training, plan));
  const alone = balancedAccuracy(decisions(plain!.outOfFold.subarray(0, 96), 2), training.labels, 2);
  const together = balancedAccuracy(decisions(aligned!.aligned!, 2), training.labels, 2);
  expect(alone).toBeLessThan(0.8);
  expect(together).toBeGreaterThan(0.9);
});
