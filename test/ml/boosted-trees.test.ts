import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { decideBoostedTrees, fitBoostedTrees } from '../../ml/classify/boosted-trees.ts';
import type { BoostedHead } from '../../ml/classify/boosted-trees.ts';
import { balancedWeights } from '../../ml/classify/linear.ts';
import { matrixOf } from '../../ml/matrix.ts';
import { relativeError } from './noise.ts';

interface Trials {
  readonly classes: number;
  readonly dimension: number;
  readonly labels: readonly number[];
  readonly x: readonly number[];
  readonly scores: readonly number[];
}

interface Exact extends Trials {
  readonly rounds: number;
  readonly rate: number;
  readonly leaves: number;
  readonly depth: number;
  readonly weights: readonly number[];
  /** Each node before its children: a split [feature, threshold] or a leaf [value]. */
  readonly trees: readonly (readonly (readonly number[])[])[];
}

/** Made by golden/make_boosted_trees.py with LightGBM and scikit-learn. */
const golden = JSON.parse(readFileSync(new URL('golden/boosted-trees.json', import.meta.url), 'utf8')) as {
  readonly exact: readonly Exact[];
  readonly counted: readonly Trials[];
};

function nodesOf(head: BoostedHead, node: number): number[][] {
  const { features, values, children } = head;
  if (features[node]! < 0) return [[values[node]!]];
  const left = children[node]!;
  return [[features[node]!, values[node]!], ...nodesOf(head, left), ...nodesOf(head, left + 1)];
}

describe.each(golden.exact)('boosted trees of $classes classes, against LightGBM', (set) => {
  const { classes, dimension, labels, trees, scores, ...options } = set;
  const x = Float64Array.from(set.x);
  const weights = Float64Array.from(set.weights);
  const head = fitBoostedTrees(matrixOf(x, dimension), Int32Array.from(labels), classes, {
    ...options,
    weights,
    featureFraction: 1,
    leafTrials: 1,
    lambda: 1,
  });

  test('have the same splits and leaves', () => {
    expect(head.roots.length).toBe(trees.length);
    trees.forEach((theirs, t) => {
      const own = nodesOf(head, head.roots[t]!);
      expect(own.map((node) => node.length)).toEqual(theirs.map((node) => node.length));
      expect(relativeError(own.flat(), theirs.flat()), `tree ${t}`).toBeLessThan(1e-6);
    });
  });

  test('give trials the same scores', () => {
    expect(relativeError(decideBoostedTrees(head, x), scores)).toBeLessThan(1e-6);
  });
});

test.each(golden.counted)('boosted trees of $classes classes of unequal size score as in scikit-learn', (set) => {
  const { classes, dimension } = set;
  const labels = Int32Array.from(set.labels);
  const x = Float64Array.from(set.x);
  const head = fitBoostedTrees(matrixOf(x, dimension), labels, classes, {
    rounds: 80,
    rate: 0.1,
    featureFraction: 1,
    leaves: 16,
    depth: 5,
    lambda: 1,
    leafTrials: 4,
    weights: balancedWeights(labels, classes),
  });
  const own = decideBoostedTrees(head, x);
  for (let at = 0; at < own.length; at += classes) {
    const mean = own.subarray(at, at + classes).reduce((sum, value) => sum + value, 0) / classes;
    for (let k = at; k < at + classes; k += 1) own[k]! -= mean;
  }
  expect(relativeError(own, set.scores)).toBeLessThan(1e-4);
});
