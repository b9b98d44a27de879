import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { decideBoostedTrees, fitBoostedTrees } from '../../ml/classify/boosted-trees.ts';
import type { BoostedHead } from '../../ml/classify/boosted-trees.ts';
import { softmax } from '../../ml/evidence/scores.ts';
import { boostedTrees } from '../../ml/methods/parts/boosted-trees.ts';
import { createWorkspace } from '../../ml/methods/index.ts';
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

/** Made by golden/make_boosted_trees.py with LightGBM. */
const golden = JSON.parse(readFileSync(new URL('golden/boosted-trees.json', import.meta.url), 'utf8')) as {
  readonly exact: readonly Exact[];
  readonly close: readonly (Trials & { readonly train: number })[];
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
  const head = fitBoostedTrees(x, labels.length, dimension, Int32Array.from(labels), classes, {
    ...options,
    weights,
    featureShare: 1,
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

test.each(golden.close)(
  'on continuous features of $classes classes, trials held out lose within 0.05 nats of what they lose in LightGBM',
  (set) => {
    const { classes, dimension, train } = set;
    const labels = Int32Array.from(set.labels);
    const x = Float64Array.from(set.x);
    const [seen, held] = [x.subarray(0, train * dimension), x.subarray(train * dimension)];
    const head = boostedTrees.fit({ x: seen, dimension }, labels.subarray(0, train), classes, createWorkspace());
    const own = boostedTrees.decide(head, { x: held, dimension });
    const truth = labels.subarray(train);
    const loss = (scores: Float64Array): number => {
      const p = softmax(scores, classes, 1);
      return truth.reduce((sum, label, i) => sum - Math.log(p[i * classes + label]!), 0) / truth.length;
    };
    expect(Math.abs(loss(own) - loss(Float64Array.from(set.scores)))).toBeLessThan(0.05);
  },
);
