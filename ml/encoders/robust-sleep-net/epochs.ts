import { bidirectionalGru, linear } from '../../onnx/index.ts';
import type { Constant, GraphBuilder, GruWeights, Value } from '../../onnx/index.ts';
import type { Weights } from '../../weights/types.ts';
import { tensorOf } from '../tensor-of.ts';

/** Sizes of the network: bins of a frame, filters, heads of the attention to channels, width of the embedding. */
export const sizes = { bins: 65, filters: 32, heads: 4, context: 30, hidden: 64, embedding: 50 } as const;

/** Intermediate results of the network on the way to the embeddings. */
export interface EpochStages {
  /** [frames, epochs, channels, 32] */
  readonly reduced: Value;
  /** Attention weight of each channel in each head. [frames, epochs, 4, channels] */
  readonly channelWeights: Value;
  /** [frames, epochs, 128], index 32 head + filter */
  readonly virtual: Value;
  /** [epochs, frames, 128] */
  readonly gru: Value;
  /** [epochs, frames, 50] */
  readonly poolIn: Value;
  /** [epochs, frames, 1] */
  readonly poolWeights: Value;
  /** [epochs, 50] */
  readonly embedding: Value;
}

/** Embeds epochs z [epochs, channels, 65, frames], each by itself. Neither order nor names of channels enter. */
export function embedEpochs(g: GraphBuilder, weights: Weights, z: Value): EpochStages {
  const { bins, filters, heads, hidden, embedding } = sizes;
  const take = (name: string, ...dims: number[]): Constant => tensorOf(weights, name, dims);

  const frames = g.op('Transpose', [z], { perm: [3, 0, 1, 2] });
  const reduction = 'encoder_eeg.encoder.filter_reduction';
  const reduced = linear(g, frames, take(`${reduction}.weight`, filters, bins), take(`${reduction}.bias`, filters));

  const { matrix, bias, vectors } = headsOf(weights);
  const scores = linear(g, g.op('Tanh', [linear(g, reduced, matrix, bias)]), vectors);
  const channelWeights = g.op('Transpose', [g.op('Softmax', [scores], { axis: 2 })], { perm: [0, 1, 3, 2] });
  const mixed = g.op('MatMul', [channelWeights, reduced]);
  const virtual = g.op('Reshape', [mixed, g.integers([0, 0, heads * filters])]);

  const gru = bidirectionalGru(g, virtual, gruOf(weights, 'encoder_eeg.encoder.gru', heads * filters, hidden));

  const pool = 'reducer_eeg.reduction';
  const poolIn = linear(g, gru, take(`${pool}.weight`, embedding, 2 * hidden), take(`${pool}.bias`, embedding));
  const attention = 'reducer_eeg.attention.context';
  const context = linear(
    g,
    poolIn,
    take(`${attention}_matrix.weight`, embedding / 2, embedding),
    take(`${attention}_matrix.bias`, embedding / 2),
  );
  const frameScores = linear(g, g.op('Tanh', [context]), take(`${attention}_vector.weight`, 1, embedding / 2));
  const poolWeights = g.op('Softmax', [frameScores], { axis: 1 });
  const pooled = g.op('MatMul', [g.op('Transpose', [poolWeights], { perm: [0, 2, 1] }), poolIn]);
  return {
    reduced,
    channelWeights,
    virtual,
    gru,
    poolIn,
    poolWeights,
    embedding: g.op('Reshape', [pooled, g.integers([-1, embedding])]),
  };
}

/** The heads side by side: one matrix [120 × 32] for all contexts, and one [4 × 120] that is zero across heads. */
function headsOf(weights: Weights): { matrix: Constant; bias: Constant; vectors: Constant } {
  const { heads, context, filters } = sizes;
  const matrix = { dims: [heads * context, filters], data: new Float32Array(heads * context * filters) };
  const bias = { dims: [heads * context], data: new Float32Array(heads * context) };
  const vectors = { dims: [heads, heads * context], data: new Float32Array(heads * heads * context) };
  for (let head = 0; head < heads; head++) {
    const name = `encoder_eeg.encoder.channel_attention.attention_${head}.context`;
    matrix.data.set(tensorOf(weights, `${name}_matrix.weight`, [context, filters]).data, head * context * filters);
    bias.data.set(tensorOf(weights, `${name}_matrix.bias`, [context]).data, head * context);
    vectors.data.set(tensorOf(weights, `${name}_vector.weight`, [1, context]).data, head * (heads + 1) * context);
  }
  return { matrix, bias, vectors };
}

/** Both directions of the recurrent unit stored below `name`. */
export function gruOf(
  weights: Weights,
  name: string,
  features: number,
  hidden: number,
): readonly [GruWeights, GruWeights] {
  const direction = (suffix: string): GruWeights => ({
    input: tensorOf(weights, `${name}.weight_ih_${suffix}`, [3 * hidden, features]),
    recurrent: tensorOf(weights, `${name}.weight_hh_${suffix}`, [3 * hidden, hidden]),
    inputBias: tensorOf(weights, `${name}.bias_ih_${suffix}`, [3 * hidden]),
    recurrentBias: tensorOf(weights, `${name}.bias_hh_${suffix}`, [3 * hidden]),
  });
  return [direction('l0'), direction('l0_reverse')];
}
