import { describe, expect, test } from 'vitest';
import { decode, encode } from '../../infra/drivers/codec.ts';
import { firstPass } from '../../ml/evidence/drawn-folds.ts';
import { mixLogScores } from '../../ml/evidence/opinion-pool.ts';
import { decisions, softmax } from '../../ml/evidence/scores.ts';
import { extractFeatures } from '../../ml/features/index.ts';
import { createWorkspace, methodOf } from '../../ml/methods/index.ts';
import { averageLogScores } from '../../ml/methods/parts/average.ts';
import {
  chooseCandidate,
  fitWinner,
  learningPoint,
  planFolds,
  predictFeatures,
  scoreCandidate,
  trainingData,
} from '../../ml/train/index.ts';
import type { CandidateScore, Choice, FittedModel, FoldPlan, TrainingData } from '../../ml/train/index.ts';
import { averageOnFolds } from '../../ml/train/averages.ts';
import { resultsOf } from '../../ml/train/score.ts';
import { byItself } from '../bench/reference-fits/arms.ts';
import { flicker, simulated } from './simulated.ts';

const average = methodOf('average-ssvep');

describe('an average over 24 flickers of six trials each', () => {
  const sample = flicker({ classes: 24, samples: 192, strength: 0.9 });
  const ids = ['filter-bank-cca-lda', 'filter-bank-cca-rule', 'filter-bank-tangent', 'ensemble-trca'];
  const sets = [...new Set(ids.flatMap((id) => methodOf(id).featureSets(sample)))];
  const data = trainingData(extractFeatures(sample.trials, sets), sample.labels, null);
  const classes = data.classes.length;
  const plan = planFolds(data);
  const workspace = createWorkspace();
  const members = ids.map((id) => scoreCandidate(id, data, plan, workspace));
  const score = scoreCandidate(average.id, data, plan, workspace, members);

  test('is better with temperatures than with the raw probabilities of its members', () => {
    expect(score.averaged).toEqual(
      members.map(({ method: id, version, title, temperature }) => ({ id, version, title, temperature })),
    );
    const tables = members.map(({ outOfFold }) => outOfFold);
    const asTheySpeak = averageLogScores(
      tables,
      tables.map(() => 1),
      classes,
    );
    const uncalibrated = resultsOf(asTheySpeak, data, plan);
    expect(score.balancedAccuracy).toBeGreaterThan(uncalibrated.balancedAccuracy + 0.1);
    expect(score.logLoss).toBeLessThan(uncalibrated.logLoss - 0.2);
  });

  test('has temperatures that do not depend on the labels of the tested trials', () => {
    const [fold, ...others] = plan.folds;
    const told = averageOnFolds(members, data, plan).outOfFold;
    const shuffled = { ...data, labels: permuted(data.labels, fold!.test) };
    const again = averageOnFolds(members, shuffled, plan).outOfFold;
    expect(rowsOf(again, fold!.test, classes)).toEqual(rowsOf(told, fold!.test, classes));
    for (const { test: rows } of others) expect(rowsOf(again, rows, classes)).not.toEqual(rowsOf(told, rows, classes));
  });

  test('is calibrated in its learning curve as on the folds', () => {
    const { version, temperature, averaged } = score;
    const choice: Choice = { method: average.id, version, temperature, averaged, explanation: '' };
    const whole = learningPoint(choice, 1, { data, plan, workspace })!;
    expect(whole.balancedAccuracy).toBe(score.balancedAccuracy);
    expect(whole.predicted).toEqual(decisions(score.outOfFold, classes));
  });
});

describe('an average of few trials', () => {
  const sample = simulated({ count: 24, channels: 3, strength: 1.5, samples: 128 });
  const own = methodOf('average-covariances');
  const features = extractFeatures(sample.trials, own.featureSets({}));
  const data = trainingData(features, sample.labels, sample.sessions);
  const plan = planFolds(data);
  const workspace = createWorkspace();
  const size = 2 * sample.labels.length;

  /** Members and average, fitted on labels as they are told. */
  function scored(labels: Int32Array): readonly CandidateScore[] {
    const told: TrainingData = { ...data, labels };
    const members = own.members!.map(({ id }) => scoreCandidate(id, told, plan, createWorkspace()));
    return [...members, scoreCandidate(own.id, told, plan, createWorkspace(), members)];
  }
  const scores = scored(data.labels);

  test('is scored and nested without the labels of the tested fold', () => {
    const folds = firstPass(plan);
    expect(plan.inner.length).toBeGreaterThan(0);
    const [before] = scores.slice(-1);
    folds.forEach(({ test: rows }, f) => {
      const [after] = scored(permuted(data.labels, rows)).slice(-1);
      expect(rowsOf(after!.outOfFold, rows, 2)).toEqual(rowsOf(before!.outOfFold, rows, 2));
      expect(rowsOf(after!.aligned!, rows, 2)).toEqual(rowsOf(before!.aligned!, rows, 2));
      const nested = ({ nested: table }: CandidateScore) => table!.subarray(f * size, (f + 1) * size);
      expect(nested(after!)).toEqual(nested(before!));
      const others = folds.filter((_, g) => g !== f);
      for (const other of others)
        expect(rowsOf(after!.outOfFold, other.test, 2)).not.toEqual(rowsOf(before!.outOfFold, other.test, 2));
    });
  });

  const alone = (id: string): Float64Array => {
    const { version } = methodOf(id);
    const model = fitWinner({ method: id, version, temperature: 1, explanation: '' }, data, workspace);
    return predictFeatures(model, features, { align: 'none' }).map(Math.log);
  };
  const answersOf = (choice: Choice): Float64Array =>
    predictFeatures(decode<FittedModel>(encode(fitWinner(choice, data, workspace))), features, { align: 'none' });
  const averagedAlone = (averaged: NonNullable<Choice['averaged']>): Float64Array =>
    averageLogScores(
      averaged.map(({ id }) => alone(id)),
      averaged.map(({ temperature }) => temperature),
      2,
    );
  const close = (actual: Float64Array, expected: Float64Array): void =>
    expected.forEach((value, i) => expect(actual[i]).toBeCloseTo(value, 9));

  test('answers after storing with the temperatures that it was chosen with', () => {
    const choice = chooseCandidate(scores.slice(-1), data, plan);
    expect(choice.averaged).toHaveLength(3);
    expect(new Set(choice.averaged!.map(({ temperature }) => temperature)).size).toBe(3);
    close(answersOf(choice), softmax(averagedAlone(choice.averaged!), 2, choice.temperature));
    expect(answersOf(byItself(scores.at(-1)!))).toEqual(answersOf(choice));
  });

  test('answers the same way in a pool', () => {
    const choice = chooseCandidate(scores, data, plan);
    const pool = choice.pool!;
    const tables = pool.map(({ id, averaged }) => (averaged ? averagedAlone(averaged) : alone(id)));
    expect(pool.filter(({ averaged }) => averaged)).toHaveLength(1);
    const pooled: Choice = { method: 'pool', version: '1', temperature: 0.8, explanation: '', pool };
    close(answersOf(pooled), softmax(mixLogScores(tables, pool, 2), 2, 0.8));
  });
});

/** Labels whose values at some trials went round by one. */
function permuted(labels: Int32Array, rows: FoldPlan['folds'][number]['test']): Int32Array {
  const out = labels.slice();
  rows.forEach((row, i) => (out[row] = labels[rows[(i + 1) % rows.length]!]!));
  return out;
}

const rowsOf = (table: Float64Array, rows: Int32Array, classes: number): number[] =>
  Array.from(rows).flatMap((row) => [...table.subarray(row * classes, (row + 1) * classes)]);
