import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { extractFeatures } from '../../ml/features/index.ts';
import { balancedAccuracy, decisions } from '../../ml/evidence/scores.ts';
import { createWorkspace } from '../../ml/methods/index.ts';
import { alignBatch, centreOf, recentreSessions } from '../../ml/methods/recentring.ts';
import { averageOf, spdSet, meanOf } from '../../ml/methods/parts/spd.ts';
import { planFolds, scoreCandidate, trainingData } from '../../ml/train/index.ts';
import { relativeError } from './noise.ts';
import { simulated } from './simulated.ts';

const set = 'cov/8-32';
const { trials, labels, sessions } = simulated({ count: 48, channels: 4, samples: 512, strength: 1.5 });
const all = Int32Array.from({ length: 48 }, (_, row) => row);
const times = (by: number) => ({ ...trials, data: trials.data.map((value) => value * by) });

test.each(['riemannian', 'euclidean'] as const)(
  'a %s centre is the stated mean, and a batch moves onto it the further the larger it is',
  (centring) => {
    const data = trainingData(extractFeatures(trials, [set]), labels, null);
    const workspace = createWorkspace();
    const mean = (features: typeof data.features) =>
      (centring === 'euclidean'
        ? averageOf(spdSet(features, set, true), 0, all)
        : meanOf(spdSet(features, set, true), 0, all, workspace)
      ).data;
    const centre = centreOf(data, set, all, { workspace, centring })!;
    expect(relativeError(centre, mean(data.features))).toBeLessThan(1e-12);
    const moved = alignBatch(extractFeatures(times(3), [set]), { [set]: centre }, { workspace, centring });
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

interface Golden {
  readonly channels: number;
  /** Trials of each training session; those left over are a batch to be decided. */
  readonly sessions: readonly number[];
  readonly 'cov/8-32': readonly number[];
  readonly table: readonly number[];
  readonly moved: Readonly<Record<'riemannian' | 'euclidean' | 'logpower' | 'sleep', readonly number[]>>;
}

/** Made by golden/make_transfer.py with pyriemann.transfer and scikit-learn. */
const golden = JSON.parse(readFileSync(new URL('golden/transfer.json', import.meta.url), 'utf8')) as Golden;

test.each([
  ['riemannian', set, 'riemannian', 5e-5],
  ['euclidean', set, 'euclidean', 1e-6],
  ['logpower', 'logpower', 'riemannian', 1e-6],
  ['sleep', 'sleep', 'riemannian', 1e-6],
] as const)('sessions and a batch are moved as in pyriemann.transfer: %s', (name, id, centring, bound) => {
  const { channels, sessions: counts } = golden;
  const shape = { channels, samples: 256, rateHz: 256, sourceRateHz: 256, channelNames: ['C3', 'Cz', 'C4', 'CPz'] };
  const values = Float64Array.from(id === set ? golden[set] : golden.table);
  const count = counts.reduce((a, b) => a + b, 0);
  const width = values.length / (golden['cov/8-32'].length / ((channels * (channels + 1)) / 2));
  const part = (from: number, to: number, trials: number) => ({
    trials,
    shape,
    versions: {},
    sets: { [id]: values.slice(from * width, to * width) },
  });
  const labels = Array.from({ length: count }, (_, i) => (i % 2 === 0 ? 'a' : 'b'));
  const named = counts.flatMap((trials, session) => Array.from({ length: trials }, () => `session ${session}`));
  const data = trainingData(part(0, count, count), labels, named);
  const rows = Int32Array.from(labels.keys());
  const workspace = createWorkspace();
  const centre = centreOf(data, id, rows, { workspace, centring })!;
  const trained = recentreSessions({ data, set: id, rows, centre }, { workspace, centring });
  const batch = part(count, values.length / width, values.length / width - count);
  const decided = alignBatch(batch, { [id]: centre }, { workspace, centring }).sets[id]!;
  expect(relativeError([...trained, ...decided], golden.moved[name])).toBeLessThan(bound);
});
