import { describe, expect, test } from 'vitest';
import { correctedScore } from '../../ml/evidence/bias-corrected.ts';
import { permutationP } from '../../ml/evidence/permutation.ts';
import { decide, mixLogScores, poolVotes, poolWeights, votesOf } from '../../ml/evidence/opinion-pool.ts';
import { gatherEvidence, votedAccuracy } from '../../ml/evidence/selection.ts';
import type { Evidence } from '../../ml/evidence/selection.ts';
import type { CandidateScore, FoldPlan } from '../../ml/evidence/types.ts';
import { extractFeatures } from '../../ml/features/index.ts';
import { createWorkspace, methodOf } from '../../ml/methods/index.ts';
import { describePin, pinsOf, missingPins } from '../../ml/pins/index.ts';
import { createRandom } from '../../ml/random.ts';
import { fitWinner, predictFeatures, trainClassifier, trainingData } from '../../ml/train/index.ts';
import type { Choice } from '../../ml/train/index.ts';
import { simulated } from './simulated.ts';

test('a pool is half the picked candidate and half the five of least log-loss', () => {
  const weights = poolWeights(1, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]);
  expect(weights).toEqual([0.1, 0.6, 0.1, 0.1, 0.1, 0, 0]);
  expect(poolWeights(6, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7])).toEqual([0.1, 0.1, 0.1, 0.1, 0.1, 0, 0.5]);
  expect(poolWeights(0, [0.1, 0.2])).toEqual([0.75, 0.25]);
});

test('a pool averages probabilities, each at its own temperature', () => {
  const [a, b] = [Float64Array.of(2, 0, Number.NaN, Number.NaN), Float64Array.of(0, 6, 1, 1)];
  const parts = [
    { weight: 0.75, temperature: 2 },
    { weight: 0.25, temperature: 3 },
  ];
  const [first, , none] = mixLogScores([a, b], parts, 2);
  expect(Math.exp(first!)).toBeCloseTo(0.75 / (1 + Math.exp(-1)) + 0.25 / (1 + Math.exp(2)), 12);
  expect(none).toBeNaN();
});

const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

describe('the choice with a pool, if there is nothing to learn', () => {
  const [trials, candidates, classes] = [100, 16, 2];
  const plan: FoldPlan = {
    validation: 'stratified',
    folds: Array.from({ length: 5 }, (_, f) => {
      const rows = Int32Array.from({ length: trials }, (_, i) => i);
      return { train: rows.filter((i) => i % 5 !== f), test: rows.filter((i) => i % 5 === f), pass: 0, heldOut: [] };
    }),
    evidencePasses: 1,
    passes: 1,
    groups: null,
    inner: [],
    description: '',
    units: null,
    shuffled: null,
    withheld: null,
    warnings: [],
  };
  const labels = Int32Array.from({ length: trials }, (_, i) => (i >> 1) % 2);

  /** Candidates of noise, whose log-scores each lean towards the right classes by a luck that its trials share. */
  function luckyOnes(run: number, shared: number): Evidence[] {
    const random = createRandom(1 + run);
    return Array.from({ length: candidates }, (_, c) => {
      const lean = shared * normal(random);
      const outOfFold = Float64Array.from(
        { length: trials * classes },
        (_, i) => 2 * random() - 1 + (labels[i >> 1] === i % classes ? lean : 0),
      );
      const score = {
        method: `m${c}`,
        prior: { mean: 0, sd: 0.05, people: 0 },
        outOfFold,
        nested: null,
        temperature: 5,
      };
      return gatherEvidence(score as unknown as CandidateScore, labels, classes, plan);
    });
  }

  const runs = Array.from({ length: 12 }, (_, run) => {
    const evidence = luckyOnes(run, 0);
    const decision = decide(evidence, labels, classes, null);
    const votes = votesOf(decision, evidence, labels, classes);
    const observed = votedAccuracy(votes, labels, classes);
    const options = { labels, classes, sessions: null, dependence: 1, anew: poolVotes(evidence, decision, classes) };
    return {
      pooled: decision.pooled,
      observed,
      p: permutationP([], observed, options).p,
    };
  });
  const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

  test('looks good by luck', () => {
    expect(runs.filter(({ pooled }) => pooled).length).toBeGreaterThan(8);
    expect(mean(runs.map(({ observed }) => observed))).toBeGreaterThan(0.55);
  });

  /** Luck by which a score varies 1.7 times as much as its trials make it, as scores of fits of noise do. */
  const ofFits = 0.084;

  test('is corrected to chance, because every bootstrap sample builds its own pool', () => {
    const corrected = Array.from({ length: 12 }, (_, run) => {
      const input = { candidates: luckyOnes(run, ofFits), labels, classes, sessions: null, plan };
      return correctedScore(input).balancedAccuracy;
    });
    expect(Math.abs(mean(corrected) - 0.5)).toBeLessThan(0.03);
  });

  test('has a p-value that accounts for building the pool', () => {
    expect(runs.filter(({ p }) => p <= 0.1).length).toBeLessThan(4);
    expect(mean(runs.map(({ p }) => p))).toBeGreaterThan(0.35);
  });
});

describe('a pool that was chosen', () => {
  const sample = simulated({ count: 60, strength: 0.35, seed: 5 });
  const ids = ['csp-lda-aligned', 'tangent-logistic', 'log-power-logistic', 'windowed-means-ridge', 'csp-lda', 'mdm'];
  const { model, report } = trainClassifier(sample.trials, sample.labels, sample.sessions, {
    kind: 'motor',
    candidates: ids,
  });
  const body = report as Record<string, any>;

  test('is a row of the report like any other, with its members and the reason why it won', () => {
    const rows = body['methods'].filter(({ status }: { status: string }) => status === 'scored');
    expect(rows.map(({ id }: { id: string }) => id)).toEqual([...ids, 'pool']);
    const losses = Object.fromEntries(rows.map((row: any) => [row.id, row.log_loss]));
    expect(body['method']).toBe('pool');
    expect(body['log_loss']).toBe(losses.pool);
    const [first, ...others] = body['pool'];
    expect(first.weight).toBeGreaterThanOrEqual(0.5);
    expect(body['pool'].reduce((sum: number, { weight }: { weight: number }) => sum + weight, 0)).toBeCloseTo(1, 9);
    expect([4, 5]).toContain(others.length);
    expect(losses.pool).toBeLessThan(losses[first.id]);
    expect(body['choice']).toContain(first.title);
    expect(body['choice']).toMatch(
      /The pool of [56] methods, with a weight of [56]0 % for this one, was chosen: its log-loss (is lower|\(0\.\d+\) is not clearly)/,
    );
    expect(body['balanced_accuracy_aligned']).toBeGreaterThan(0.4);
  });

  test('is hosted with each of its methods fitted once, pinned to their versions', () => {
    expect(model.method).toMatchObject({ id: 'pool', version: '1' });
    const members = model.members!.map(({ id }) => id);
    expect(new Set(members).size).toBe(members.length);
    expect([5, 6]).toContain(members.length);
    const pins = pinsOf(model);
    for (const { id, version } of model.members!) expect(pins).toContain(`method:${id}@${version}`);
    expect(pins).toContain('pool@1');
    expect(pins.join()).not.toContain('method:pool');
    expect(missingPins(pins)).toEqual([]);
    expect(missingPins(['pool@2']).map(describePin)).toEqual(['version 2 of the pool']);
  });

  test('answers with the mean of what its methods answer alone, also for a batch', () => {
    const data = trainingData(extractFeatures(sample.trials, model.featureSets), sample.labels, sample.sessions);
    const members = body['pool'] as { id: string; version: string; weight: number; temperature: number }[];
    for (const align of ['none', 'batch'] as const) {
      const alone = members.map(({ id, version }) => {
        const choice: Choice = { method: id, version, temperature: 1, explanation: '' };
        return predictFeatures(fitWinner(choice, data, createWorkspace()), data.features, { align }).map(Math.log);
      });
      const mixed = mixLogScores(alone, members, data.classes.length);
      const answers = predictFeatures(model, data.features, { align });
      const expected = Float64Array.from({ length: answers.length / 2 }, (_, i) => {
        const gap = (mixed[2 * i + 1]! - mixed[2 * i]!) / model.temperature;
        return 1 / (1 + Math.exp(gap));
      });
      expected.forEach((value, i) => expect(Math.abs(answers[2 * i]! - value)).toBeLessThan(1e-3));
    }
  });

  test('decides each trial alone, bit for bit', () => {
    const one = { ...sample.trials, trials: 1, data: sample.trials.data.slice(0, 4 * 256) };
    const all = predictFeatures(model, extractFeatures(sample.trials, model.featureSets), { align: 'none' });
    const alone = predictFeatures(model, extractFeatures(one, model.featureSets), { align: 'none' });
    expect([...alone]).toEqual([...all.subarray(0, 2)]);
  });

  test('contains an average as its methods, which it shares with the other members of the pool', () => {
    const average = methodOf('average-covariances');
    const [first] = average.members!;
    const member = (id: string) => ({ id, version: methodOf(id).version, title: '', weight: 0.5, temperature: 1 });
    const choice = {
      method: 'pool',
      version: '1',
      temperature: 1,
      explanation: '',
      pool: [{ ...member(average.id), averaged: average.members!.map(({ id }) => member(id)) }, member(first!.id)],
    };
    const sets = average.featureSets({});
    const held = fitWinner(choice, trainingData(extractFeatures(sample.trials, sets), sample.labels, null));
    expect(held.members).toEqual(average.members);
    expect(held.mix!.map(({ of }) => of)).toEqual([[0, 1, 2, 3], [0]]);
  });
});
