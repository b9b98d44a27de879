import { expect, onTestFinished, test } from 'vitest';
import { toEnd } from '../../ml/steps.ts';
import { leadingSpace } from '../../ml/classify/sketch.ts';
import { firstPass } from '../../ml/evidence/drawn-folds.ts';
import { fitTemperature } from '../../ml/evidence/temperature.ts';
import { extractFeatures } from '../../ml/features/index.ts';
import { matrixOf } from '../../ml/matrix.ts';
import { eigh, gram, matmulTransposed, matvec, transpose, withOperator } from '../../ml/linalg/index.ts';
import { createWorkspace, methodOf } from '../../ml/methods/index.ts';
import { fitWinner, planFolds, scoreCandidate, trainingData } from '../../ml/train/index.ts';
import { raiseMethod } from '../support/raise-versions.ts';
import { choiceOf } from './choice-of.ts';
import { noise, relativeError } from './noise.ts';
import { simulated } from './simulated.ts';

const { trials, labels, sessions } = simulated({ count: 60, channels: 4, samples: 512 });
const average = methodOf('average-covariances');
const data = trainingData(extractFeatures(trials, average.featureSets({})), labels, sessions);
const plan = planFolds(data);

test('an average is scored from its members as if it had been fitted on every fold', () => {
  const workspace = createWorkspace();
  const members = average.members!.map(({ id }) => scoreCandidate(id, data, plan, workspace));
  const score = scoreCandidate(average.id, data, plan, workspace, members);
  const classes = data.classes.length;
  const size = data.labels.length * classes;
  firstPass(plan).forEach((fold, f) => {
    const temperatures = members.map(
      ({ nested }) => fitTemperature(nested!.subarray(f * size, (f + 1) * size), data.labels, classes).temperature,
    );
    const head = average.fit({ data, rows: fold.train, temperatures, workspace });
    const own = average.decide(head, data.features, fold.test, workspace);
    fold.test.forEach((row, i) => {
      const at = row * classes;
      expect(
        relativeError(score.outOfFold.subarray(at, at + classes), own.subarray(i * classes, (i + 1) * classes)),
      ).toBeLessThan(1e-9);
    });
  });
  expect(score.aligned).not.toBeNull();
  expect(scoreCandidate(average.id, data, plan).outOfFold).toEqual(score.outOfFold);
});

test('an average whose member failed says which and why', () => {
  const [first, ...others] = average.members!.map(({ id }) => scoreCandidate(id, data, plan));
  const failed = { ...first!, status: 'failed' as const, reason: 'its matrices are singular' };
  const { status, reason } = scoreCandidate(average.id, data, plan, createWorkspace(), [failed, ...others]);
  expect(status).toBe('failed');
  expect(reason).toBe(`It averages 4 methods, of which ${first!.title} could not be fitted: its matrices are singular`);
});

test('an average takes no score of another version of a member', () => {
  const [first, ...others] = average.members!.map(({ id }) => scoreCandidate(id, data, plan));
  const later = { ...first!, version: '99' };
  const { status, reason } = scoreCandidate(average.id, data, plan, createWorkspace(), [later, ...others]);
  expect(status).toBe('failed');
  expect(reason).toBe(`It averages version ${first!.version} of ${first!.title}, which was scored in version 99.`);
});

test('an average names its members in the versions that it is made of, also when they were raised', () => {
  const [member] = average.members!;
  const choice = choiceOf(average.id, data);
  onTestFinished(raiseMethod(member!.id));
  expect(fitWinner(choice, data).members).toEqual(average.members);
});

test('the number of common spatial patterns is one of the candidates, whatever the other trials are', () => {
  const method = methodOf('csp-tuned-lda');
  const [fold] = plan.folds;
  const chosen = (labelled: typeof data): Int32Array => {
    const head = method.fit({ data: labelled, rows: fold!.train, workspace: createWorkspace() });
    return (head['representation'] as { columns: Int32Array }).columns;
  };
  const columns = chosen(data);
  expect([2, 4]).toContain(columns.length);
  const swapped = data.labels.map((label, row) => (fold!.test.includes(row) ? 1 - label : label));
  expect(chosen({ ...data, labels: swapped })).toEqual(columns);
});

test('leading directions are orthonormal and span the exact ones', () => {
  const [rows, dimension, rank] = [90, 60, 20];
  const x = matrixOf(
    noise(rows * dimension, 5).map((value, at) => value * 0.8 ** (at % dimension)),
    dimension,
  );
  const space = toEnd(leadingSpace(x, rank));
  const power = eigh(gram(matmulTransposed(space, x))).values.toReversed();
  const exact = eigh(gram(transpose(x))).values.toReversed();
  expect(relativeError(power.subarray(0, 8), exact.subarray(0, 8))).toBeLessThan(1e-4);
  expect(power.reduce((a, b) => a + b, 0) / exact.reduce((a, b) => a + b, 0)).toBeGreaterThan(0.999);
  const identity = Float64Array.from({ length: rank * rank }, (_, at) => (at % (rank + 1) === 0 ? 1 : 0));
  expect(relativeError(gram(space).data, identity)).toBeLessThan(1e-9);
});

test('an operator multiplies vectors from both sides', () => {
  const [m, n] = [7, 5];
  const [table, scale, last] = [noise(m * (n - 1), 1), noise(n - 1, 4), 0.7];
  const a = Float64Array.from({ length: m * n }, (_, at) => {
    const [i, j] = [Math.floor(at / n), at % n];
    return j === n - 1 ? last : table[i * (n - 1) + j] * scale[j];
  });
  const [x, s] = [noise(n, 2), noise(m, 3)];
  const [y, z] = [new Float64Array(m), new Float64Array(n)];
  withOperator({ table: matrixOf(table, n - 1), scale, last }, 1, (operator) => {
    operator.times(x, 1, y);
    operator.transposedTimes(s, 1, z);
  });
  expect(relativeError(y, matvec(matrixOf(a, n), x))).toBeLessThan(1e-14);
  expect(relativeError(z, matvec(transpose(matrixOf(a, n)), s))).toBeLessThan(1e-14);
});
