import { expect, test } from 'vitest';
import { fitLda } from '../../ml/classify/lda.ts';
import { fitShrinkageLda } from '../../ml/classify/shrinkage-lda.ts';
import { matrixOf } from '../../ml/matrix.ts';
import { noise, relativeError } from './noise.ts';

const labelsOf = (trials: number): Int32Array => Int32Array.from({ length: trials }, (_, i) => i % 3);

test('discriminants of more trials than features are those of the dual form', () => {
  const [trials, dimension] = [90, 24];
  const x = noise(trials * dimension, 3).map((value, at) => value * (1 + (at % dimension)) + (at % 7));
  const primal = fitLda(matrixOf(x, dimension), labelsOf(trials), 3, 'auto');
  const dual = fitShrinkageLda(matrixOf(x, dimension), labelsOf(trials), 3);
  expect(relativeError(primal.weights, dual.weights)).toBeLessThan(1e-9);
  expect(relativeError(primal.bias, dual.bias)).toBeLessThan(1e-9);
});

test('a feature that is the sum of others does not weaken the discriminant', () => {
  const [trials, dimension] = [90, 6];
  const x = noise(trials * dimension, 4);
  for (let at = 0; at < x.length; at += dimension) x[at + 5] = x[at] + x[at + 1];
  const { weights, bias } = fitLda(matrixOf(x, dimension), labelsOf(trials), 3, 'none');
  expect([...weights, ...bias].every((value) => Math.abs(value) < 1e3)).toBe(true);
});

test.each(['primal', 'dual'] as const)('features with only rounding errors count no more than zeros (%s)', (form) => {
  const [trials, dimension, dead] = [60, 24, 8];
  const fit = (rounding: number, seed: number) => {
    const noisy = noise(trials * dimension, seed);
    const x = noise(trials * dimension, 5).map((value, at) =>
      at % dimension < dead ? rounding * noisy[at] : value * (1 + (at % dimension)),
    );
    const labels = labelsOf(trials);
    const { weights } =
      form === 'primal'
        ? fitLda(matrixOf(x, dimension), labels, 3, 'auto')
        : fitShrinkageLda(matrixOf(x, dimension), labels, 3);
    return weights.filter((_, at) => at % dimension >= dead);
  };
  expect(relativeError(fit(1e-17, 6), fit(0, 6))).toBeLessThan(1e-9);
  expect(relativeError(fit(1e-17, 7), fit(1e-17, 6))).toBeLessThan(1e-9);
});

test.each([1, 2])('%d trials of a class say nothing about the variance in more directions than trials', (each) => {
  for (let seed = 1; seed < 9; seed += 1)
    for (const dimension of [8, 150])
      expect(() =>
        fitShrinkageLda(matrixOf(noise(3 * each * dimension, seed), dimension), labelsOf(3 * each), 3),
      ).toThrow('has no inverse');
});
