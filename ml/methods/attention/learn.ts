import { matmul, transpose } from '../../linalg/index.ts';
import { matrixOf } from '../../matrix.ts';
import { createRandom } from '../../random.ts';
import type { Random } from '../../random.ts';
import { range } from '../../rows.ts';
import { copyOf, createAdam } from '../descent/adam.ts';
import { batchesOf, classWeights, targetsOf } from '../descent/batches.ts';
import { innerSplit } from '../descent/inner-split.ts';
import { stepsThatHelp, totalWhereSure } from '../descent/steps.ts';
import { tensors } from '../descent/tensors.ts';
import type { Tensors } from '../descent/tensors.ts';
import type { AttentionHead } from './decide.ts';
import { alongDirections, findDirections } from './directions.ts';
import type { Directions } from './directions.ts';
import { createAttention, leftOut } from './graph.ts';
import type { AttentionGraph, AttentionShape, Batch, Parameters } from './graph.ts';
import { startOf } from './start.ts';

const mostDirections = 32;
const hidden = 8;
const batchRows = 256;
const patience = { fewest: 0, most: 60, every: 4, patience: 24 };
const dropout = 0.2;
const seed = 31_415;
const rates = { attend: 0.03, shift: 0.03, score: 0.05, weights: 0.05, bias: 0.02 };
/** Weight of the L2 pull towards the start values, times the number of trials. */
const pull = { attend: 3, shift: 3, score: 3, weights: 9, bias: 0 };

/** Vectors [trials × tokens·width], their classes, and sessions if known. */
export interface Examples {
  readonly x: Float64Array;
  readonly width: number;
  readonly labels: Int32Array;
  readonly classes: number;
  readonly sessions: Int32Array | null;
}

/** Input of a descent: trials [trials × tokens·rank] of the shape, and their classes. */
interface Seen {
  readonly trials: Float32Array;
  readonly labels: Int32Array;
  readonly shape: AttentionShape;
}

/**
 * Trains an attention head. It starts as logistic regression on the mean token. Early stopping on a part of the given
 * trials finds the number of steps: 0 if none clearly helps. Then it trains on all of them for that many steps. Fixed
 * seed, at most 2 × 60 steps.
 */
export function learnAttention({ x, width, labels, classes, sessions }: Examples): AttentionHead {
  const tf = tensors();
  const directions = findDirections(x, width, mostDirections);
  const tokens = x.length / labels.length / width;
  const seen: Seen = {
    trials: alongDirections(directions, x),
    labels,
    shape: { tokens, rank: directions.rank, hidden, classes },
  };
  const all = range(labels.length);
  const { learn, watch } = innerSplit({ labels, sessions }, all);
  const steps = watch.length === 0 ? 0 : descend(tf, seen, learn, (descent) => stepsSeen(descent, seen, watch));
  return descend(tf, seen, all, ({ parameters, step }) => {
    for (let taken = 0; taken < steps; taken += 1) step();
    return onTokens(directions, seen.shape, parameters);
  });
}

function stepsSeen({ graph, parameters, batchOf, step }: Descent, { labels, shape }: Seen, watch: Int32Array): number {
  const batch = batchOf(watch);
  const weigh = classWeights(labels, watch, shape.classes);
  const losses = (): Float64Array => {
    const logs = graph.logProbabilities(parameters, batch);
    return Float64Array.from(watch, (row, i) => -weigh[labels[row]] * logs[i * shape.classes + labels[row]]);
  };
  const before = losses();
  return stepsThatHelp(step, () => totalWhereSure(losses(), before), patience);
}

interface Descent {
  readonly graph: AttentionGraph;
  readonly parameters: Parameters;
  batchOf(rows: Int32Array): Batch;
  step(): void;
}

/** Opens a descent on `rows`, and frees its tensors afterwards. */
function descend<T>(tf: Tensors, { trials, labels, shape }: Seen, rows: Int32Array, use: (descent: Descent) => T): T {
  const openBatches: Batch[] = [];
  try {
    const { tokens, rank, classes } = shape;
    const weigh = classWeights(labels, rows, classes);
    const batchOf = (own: Int32Array): Batch => {
      const x = tf.tensor2d(rowsOf(trials, tokens * rank, own), [own.length * tokens, rank]);
      openBatches.push({
        rows: own.length,
        x,
        turned: tf.transpose(x),
        targets: tf.tensor2d(targetsOf(labels, own, weigh), [own.length, classes]),
      });
      return openBatches.at(-1)!;
    };
    const random = createRandom(seed);
    const batches = batchesOf(rows, batchRows, random).map(batchOf);
    const parameters = startOf(
      rowsOf(trials, tokens * rank, rows),
      shape,
      rows.map((row) => labels[row]),
      random,
    );
    const graph = createAttention(tf, shape);
    const adam = createAdam(parameters, copyOf(parameters), { rates, pull: shared(pull, rows.length) });
    let taken = 0;
    const step = (): void => {
      const batch = batches[taken % batches.length];
      adam(graph.lossAndGradients(parameters, batch, maskOf(batch.rows, tokens, random)).gradients);
      taken += 1;
    };
    return use({ graph, parameters, batchOf, step });
  } finally {
    for (const { x, turned, targets } of openBatches) tf.dispose([x, turned, targets]);
  }
}

const shared = (of: typeof pull, trials: number): typeof pull => ({
  attend: of.attend / trials,
  shift: of.shift / trials,
  score: of.score / trials,
  weights: of.weights / trials,
  bias: of.bias / trials,
});

function rowsOf(table: Float32Array, width: number, rows: Int32Array): Float32Array {
  const out = new Float32Array(rows.length * width);
  rows.forEach((row, i) => out.set(table.subarray(row * width, (row + 1) * width), i * width));
  return out;
}

/** Masks a fraction of the tokens of each trial, never all (dropout). */
function maskOf(rows: number, tokens: number, random: Random): Float32Array {
  const mask = new Float32Array(rows * tokens);
  for (let i = 0; i < rows; i += 1) {
    const own = mask.subarray(i * tokens, (i + 1) * tokens);
    for (let t = 0; t < tokens; t += 1) own[t] = random() < dropout ? leftOut : 0;
    if (own.every((v) => v !== 0)) own.fill(0);
  }
  return mask;
}

/** Converts parameters on directions to parameters on tokens. */
function onTokens(
  { width, mean, rows }: Directions,
  { rank, hidden: units, classes }: AttentionShape,
  { attend, shift, score, weights, bias }: Parameters,
): AttentionHead {
  const lifted = (values: Float64Array, count: number): Float64Array =>
    matmul(transpose(matrixOf(values, count, rank)), matrixOf(rows, width, rank)).data;
  const moved = (values: Float64Array, by: Float64Array): Float64Array =>
    values.map((value, k) => mean.reduce((sum, m, j) => sum - m * by[k * width + j], value));
  const [onAttend, onWeights] = [lifted(attend, units), lifted(weights, classes)];
  return {
    width,
    attend: onAttend,
    shift: moved(shift, onAttend),
    score,
    weights: onWeights,
    bias: moved(bias, onWeights),
  };
}
