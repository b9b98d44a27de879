import type { Matrix } from '../matrix.ts';
import { createRandom, shuffle } from '../random.ts';
import { binned } from './binning.ts';
import { growTree } from './tree.ts';
import type { Tree, TreeOptions } from './tree.ts';

export interface BoostingOptions extends TreeOptions {
  /** Boosting rounds; each grows one tree per class. */
  readonly rounds: number;
  /** Learning rate: factor on the values of each tree. */
  readonly rate: number;
  /** Fraction of the features that each round may use, 0 to 1. */
  readonly featureFraction: number;
  /** Weight of each trial in the loss. */
  readonly weights: Float64Array;
}

/** Trees of all rounds and classes, one after the other. Plain data. */
export interface BoostedHead {
  readonly classes: number;
  readonly dimension: number;
  /** First node of each tree, [rounds × classes]. */
  readonly roots: Int32Array;
  /** Feature a node splits on; −1: a leaf. */
  readonly features: Int32Array;
  /** Threshold (x ≤ threshold goes left), or the leaf's value. */
  readonly values: Float64Array;
  /** Left child; the right one follows it. */
  readonly children: Int32Array;
  readonly [name: string]: number | Int32Array | Float64Array;
}

const seed = 2_017;

/**
 * Gradient-boosted trees on histograms with a softmax loss: one tree per class and round. Second derivatives are
 * multiplied by K / (K − 1) for K classes, because the trees of a round are fitted independently of each other.
 *
 * @param x Features [trials × dimension].
 * @param labels Class of each trial, an index below `classes`.
 *
 * Source: Friedman 2001; Ke et al. 2017.
 */
export function fitBoostedTrees(x: Matrix, labels: Int32Array, classes: number, options: BoostingOptions): BoostedHead {
  const { rows: trials, columns: dimension } = x;
  const table = binned(x);
  const random = createRandom(seed);
  const scores = new Float64Array(trials * classes);
  const slopes = new Float64Array(trials);
  const curvatures = new Float64Array(trials);
  const trees: Tree[] = [];
  const columns = Int32Array.from({ length: dimension }, (_, j) => j);
  const overlap = classes / (classes - 1);
  const used = Math.max(1, Math.min(dimension, Math.ceil(dimension * options.featureFraction)));
  for (let round = 0; round < options.rounds; round += 1) {
    const chosen = shuffle(columns.slice(), random).slice(0, used).sort();
    const probabilities = softmaxRows(scores, trials, classes);
    for (let k = 0; k < classes; k += 1) {
      for (let i = 0; i < trials; i += 1) {
        const p = probabilities[i * classes + k];
        slopes[i] = options.weights[i] * (p - (labels[i] === k ? 1 : 0));
        curvatures[i] = options.weights[i] * overlap * Math.max(1e-6, p * (1 - p));
      }
      const { tree, leafOf } = growTree(table, chosen, { slopes, curvatures }, options);
      for (let i = 0; i < trials; i += 1) scores[i * classes + k] += options.rate * tree.values[leafOf[i]];
      trees.push({
        ...tree,
        values: tree.values.map((value, node) => (tree.features[node] < 0 ? options.rate * value : value)),
      });
    }
  }
  return flatten(trees, classes, dimension);
}

function softmaxRows(scores: Float64Array, trials: number, classes: number): Float64Array {
  const out = new Float64Array(scores.length);
  for (let i = 0; i < trials; i += 1) {
    let top = -Infinity;
    for (let k = 0; k < classes; k += 1) top = Math.max(top, scores[i * classes + k]);
    let sum = 0;
    for (let k = 0; k < classes; k += 1) sum += out[i * classes + k] = Math.exp(scores[i * classes + k] - top);
    for (let k = 0; k < classes; k += 1) out[i * classes + k] /= sum;
  }
  return out;
}

function flatten(trees: readonly Tree[], classes: number, dimension: number): BoostedHead {
  const total = trees.reduce((sum, tree) => sum + tree.features.length, 0);
  const head = {
    classes,
    dimension,
    roots: new Int32Array(trees.length),
    features: new Int32Array(total),
    values: new Float64Array(total),
    children: new Int32Array(total),
  };
  let at = 0;
  trees.forEach((tree, t) => {
    head.roots[t] = at;
    head.features.set(tree.features, at);
    head.values.set(tree.values, at);
    head.children.set(
      tree.children.map((child) => (child < 0 ? -1 : child + at)),
      at,
    );
    at += tree.features.length;
  });
  return head;
}

/** Log-scores [rows × classes] of features x [rows × dimension]; each row depends on that row alone. */
export function decideBoostedTrees(
  { classes, dimension, roots, features, values, children }: BoostedHead,
  x: Float64Array,
): Float64Array {
  const rows = x.length / dimension;
  const out = new Float64Array(rows * classes);
  for (let i = 0; i < rows; i += 1) {
    for (let t = 0; t < roots.length; t += 1) {
      let node = roots[t];
      while (features[node] >= 0) node = children[node] + (x[i * dimension + features[node]] <= values[node] ? 0 : 1);
      out[i * classes + (t % classes)] += values[node];
    }
  }
  return out;
}
