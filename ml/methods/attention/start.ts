import { spectralBasis } from '../../classify/spectral-basis.ts';
import { fitTunedLogistic } from '../../classify/tuned-logistic.ts';
import { transpose } from '../../linalg/index.ts';
import { matrixOf } from '../../matrix.ts';
import type { Matrix } from '../../matrix.ts';
import type { Random } from '../../random.ts';
import type { AttentionShape, Parameters } from './graph.ts';

/**
 * Start values: all tokens have equal weight, and the dense layer is logistic regression on their mean, from trials
 * [trials × tokens·rank].
 */
export function startOf(
  trials: Float32Array,
  { tokens, rank, hidden, classes }: AttentionShape,
  labels: Int32Array,
  random: Random,
): Parameters {
  const { weights, bias } = fitTunedLogistic(spectralBasis(meansOf(trials, tokens, rank)), labels, classes);
  const spread = Math.sqrt(3 / rank);
  return {
    attend: Float64Array.from({ length: rank * hidden }, () => (2 * random() - 1) * spread),
    shift: new Float64Array(hidden),
    score: new Float64Array(hidden),
    weights: transpose(matrixOf(weights, rank, classes)).data,
    bias: bias.slice(),
  };
}

/** Mean token of each trial. [trials × rank] */
function meansOf(trials: Float32Array, tokens: number, rank: number): Matrix {
  const out = new Float64Array(trials.length / tokens);
  for (let row = 0, at = 0; at < trials.length; row += rank)
    for (let t = 0; t < tokens; t += 1) for (let j = 0; j < rank; j += 1, at += 1) out[row + j] += trials[at] / tokens;
  return matrixOf(out, rank);
}
