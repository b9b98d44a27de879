import type { Binned } from './binning.ts';

export interface TreeOptions {
  /** Most leaves of a tree. */
  readonly leaves: number;
  /** Most splits between the root and a leaf. */
  readonly depth: number;
  /** Fewest trials in a leaf. */
  readonly leafTrials: number;
  /** L2 penalty on leaf values. */
  readonly lambda: number;
}

/** Nodes of one tree: the fields of `BoostedHead`, numbered from the root 0. */
export interface Tree {
  readonly features: Int32Array;
  readonly values: Float64Array;
  readonly children: Int32Array;
}

interface Split {
  readonly gain: number;
  readonly feature: number;
  readonly bin: number;
}

interface Leaf {
  readonly node: number;
  readonly depth: number;
  readonly rows: Int32Array;
  readonly split: Split | null;
}

/** First and second derivative of the loss by the score of each trial. */
export interface Derivatives {
  readonly slopes: Float64Array;
  readonly curvatures: Float64Array;
}

/**
 * Grows a regression tree on first and second derivatives, always splitting the leaf with the largest gain. Also
 * returns the leaf of each trial.
 *
 * @param columns Features that may be split on.
 *
 * Source: Ke et al. 2017.
 */
export function growTree(
  table: Binned,
  columns: Int32Array,
  derivatives: Derivatives,
  options: TreeOptions,
): { tree: Tree; leafOf: Int32Array } {
  const { trials } = table;
  const { slopes, curvatures } = derivatives;
  const data: SplitData = { table, columns, derivatives, options };
  const features: number[] = [-1];
  const values: number[] = [0];
  const children: number[] = [-1];
  const leaf = (node: number, depth: number, rows: Int32Array): Leaf => ({
    node,
    depth,
    rows,
    split: depth < options.depth && rows.length >= 2 * options.leafTrials ? bestSplit(data, rows) : null,
  });
  let leaves: Leaf[] = [
    leaf(
      0,
      0,
      Int32Array.from({ length: trials }, (_, i) => i),
    ),
  ];
  while (leaves.length < options.leaves) {
    const next = leaves.reduce((a, b) => ((b.split?.gain ?? 0) > (a.split?.gain ?? 0) ? b : a));
    if (!next.split || next.split.gain <= 1e-9) break;
    const { feature, bin } = next.split;
    const goesLeft = (row: number): boolean => table.bins[feature * trials + row] <= bin;
    const left = features.length;
    features.push(-1, -1);
    values.push(0, 0);
    children.push(-1, -1);
    features[next.node] = feature;
    values[next.node] = table.edges[feature][bin];
    children[next.node] = left;
    leaves = [
      ...leaves.filter((other) => other !== next),
      leaf(left, next.depth + 1, next.rows.filter(goesLeft)),
      leaf(
        left + 1,
        next.depth + 1,
        next.rows.filter((row) => !goesLeft(row)),
      ),
    ];
  }
  const leafOf = new Int32Array(trials);
  for (const { node, rows } of leaves) {
    let slope = 0;
    let curvature = 0;
    for (const row of rows) {
      slope += slopes[row];
      curvature += curvatures[row];
      leafOf[row] = node;
    }
    values[node] = -slope / (curvature + options.lambda);
  }
  return {
    tree: {
      features: Int32Array.from(features),
      values: Float64Array.from(values),
      children: Int32Array.from(children),
    },
    leafOf,
  };
}

const slots = 64;

interface SplitData {
  readonly table: Binned;
  readonly columns: Int32Array;
  readonly derivatives: Derivatives;
  readonly options: TreeOptions;
}

/** The split of some trials with the largest gain; null where no split has any. */
function bestSplit({ table, columns, derivatives, options }: SplitData, rows: Int32Array): Split | null {
  const { trials, bins, edges } = table;
  const { slopes, curvatures } = derivatives;
  const { leafTrials, lambda } = options;
  let slope = 0;
  let curvature = 0;
  for (const row of rows) {
    slope += slopes[row];
    curvature += curvatures[row];
  }
  const whole = (slope * slope) / (curvature + lambda);
  const sumSlope = new Float64Array(slots);
  const sumCurvature = new Float64Array(slots);
  const counts = new Int32Array(slots);
  let best: Split | null = null;
  for (const feature of columns) {
    const last = edges[feature].length;
    if (last === 0) continue;
    sumSlope.fill(0);
    sumCurvature.fill(0);
    counts.fill(0);
    const at = feature * trials;
    for (let r = 0; r < rows.length; r += 1) {
      const bin = bins[at + rows[r]];
      sumSlope[bin] += slopes[rows[r]];
      sumCurvature[bin] += curvatures[rows[r]];
      counts[bin] += 1;
    }
    let leftSlope = 0;
    let leftCurvature = 0;
    let left = 0;
    for (let bin = 0; bin < last; bin += 1) {
      leftSlope += sumSlope[bin];
      leftCurvature += sumCurvature[bin];
      left += counts[bin];
      if (left < leafTrials) continue;
      if (rows.length - left < leafTrials) break;
      const rightSlope = slope - leftSlope;
      const gain =
        (leftSlope * leftSlope) / (leftCurvature + lambda) +
        (rightSlope * rightSlope) / (curvature - leftCurvature + lambda) -
        whole;
      if (gain > (best?.gain ?? 0)) best = { gain, feature, bin };
    }
  }
  return best;
}
