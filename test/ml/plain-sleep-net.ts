import { createRandom } from '../../ml/random.ts';
import type { Weights } from '../../ml/weights/types.ts';

type Row = readonly number[];

const dot = (a: ArrayLike<number>, b: ArrayLike<number>, at = 0): number =>
  Array.from(a).reduce((sum, value, i) => sum + value * b[at + i]!, 0);
const softmax = (scores: Row): number[] => {
  const terms = scores.map((score) => Math.exp(score - Math.max(...scores)));
  return terms.map((term) => term / terms.reduce((a, b) => a + b, 0));
};
const mix = (weights: Row, rows: readonly Row[]): number[] =>
  rows[0]!.map((_, i) => weights.reduce((sum, weight, c) => sum + weight * rows[c]![i]!, 0));
const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

/** The published network in float64, sentence by sentence from its description, for one sequence of epochs. */
export function plainSleepNet(weights: Weights): {
  /** z of one epoch by channel, bin and frame → embedding */
  embed: (z: readonly (readonly Row[])[]) => number[];
  read: (embeddings: readonly Row[]) => { sequence: number[][]; probabilities: number[][] };
} {
  const data = (name: string): Float32Array => weights.get(name)!.data;
  const linear = (name: string, x: Row): number[] =>
    Array.from(
      { length: data(`${name}.weight`).length / x.length },
      (_, i) => dot(x, data(`${name}.weight`), i * x.length) + (weights.get(`${name}.bias`)?.data[i] ?? 0),
    );
  const attention = (name: string, rows: readonly Row[]): number[] =>
    softmax(
      rows.map((row) =>
        dot(linear(`${name}.context_matrix`, row).map(Math.tanh), data(`${name}.context_vector.weight`)),
      ),
    );
  const gru = (name: string, xs: readonly Row[], suffix: string): number[][] => {
    const [wi, wh, bi, bh] = ['weight_ih', 'weight_hh', 'bias_ih', 'bias_hh'].map((part) =>
      data(`${name}.${part}_${suffix}`),
    ) as [Float32Array, Float32Array, Float32Array, Float32Array];
    const size = bi.length / 3;
    let h = Array.from({ length: size }, () => 0);
    return xs.map((x) => {
      const own = (k: number): number => dot(x, wi, k * x.length) + bi[k]!;
      const past = (k: number): number => dot(h, wh, k * size) + bh[k]!;
      h = h.map((was, i) => {
        const [reset, update] = [sigmoid(own(i) + past(i)), sigmoid(own(size + i) + past(size + i))];
        return (1 - update) * Math.tanh(own(2 * size + i) + reset * past(2 * size + i)) + update * was;
      });
      return h;
    });
  };
  const bothWays = (name: string, xs: readonly Row[]): number[][] => {
    const [forward, backward] = [gru(name, xs, 'l0'), gru(name, xs.toReversed(), 'l0_reverse').toReversed()];
    return forward.map((row, i) => [...row, ...backward[i]!]);
  };
  return {
    embed(z) {
      const virtual = z[0]![0]!.map((_, frame) => {
        const r = z.map((bins) =>
          linear(
            'encoder_eeg.encoder.filter_reduction',
            bins.map((bin) => bin[frame]!),
          ),
        );
        return [0, 1, 2, 3].flatMap((head) =>
          mix(attention(`encoder_eeg.encoder.channel_attention.attention_${head}`, r), r),
        );
      });
      const pooled = bothWays('encoder_eeg.encoder.gru', virtual).map((row) => linear('reducer_eeg.reduction', row));
      return mix(attention('reducer_eeg.attention', pooled), pooled);
    },
    read(embeddings) {
      const sequence = [0, 1].reduce<readonly Row[]>((q, layer) => {
        const name = `sequence_encoder.encoder.${layer}`;
        const around = bothWays(`${name}.gru`, q);
        return q.map((row, t) =>
          linear(`${name}.residual_connection`, row).map((direct, i) => (direct + around[t]![i]!) / 2),
        );
      }, embeddings) as number[][];
      return { sequence, probabilities: sequence.map((row) => softmax(linear('classifier', row))) };
    },
  };
}

/** Weights of the network's shapes from a seed. */
export function randomSleepNetWeights(seed: number): Weights {
  const random = createRandom(seed);
  const shapes: [string, number[]][] = [];
  const layer = (name: string, out: number, into: number, bias = true): void => {
    shapes.push([`${name}.weight`, [out, into]]);
    if (bias) shapes.push([`${name}.bias`, [out]]);
  };
  const gru = (name: string, features: number, hidden: number): void => {
    for (const suffix of ['l0', 'l0_reverse'])
      shapes.push(
        [`${name}.weight_ih_${suffix}`, [3 * hidden, features]],
        [`${name}.weight_hh_${suffix}`, [3 * hidden, hidden]],
        [`${name}.bias_ih_${suffix}`, [3 * hidden]],
        [`${name}.bias_hh_${suffix}`, [3 * hidden]],
      );
  };
  const attention = (name: string, context: number, width: number): void => {
    layer(`${name}.context_matrix`, context, width);
    layer(`${name}.context_vector`, 1, context, false);
  };
  layer('encoder_eeg.encoder.filter_reduction', 32, 65);
  for (const head of [0, 1, 2, 3]) attention(`encoder_eeg.encoder.channel_attention.attention_${head}`, 30, 32);
  gru('encoder_eeg.encoder.gru', 128, 64);
  layer('reducer_eeg.reduction', 50, 128);
  attention('reducer_eeg.attention', 25, 50);
  for (const i of [0, 1]) {
    layer(`sequence_encoder.encoder.${i}.residual_connection`, 100, i === 0 ? 50 : 100);
    gru(`sequence_encoder.encoder.${i}.gru`, i === 0 ? 50 : 100, 50);
  }
  layer('classifier', 5, 100);
  return new Map(
    shapes.map(([name, dims]) => {
      const length = dims.reduce((a, b) => a * b, 1);
      const spread = 2 / Math.sqrt(dims.at(-1)!);
      return [name, { dims, data: Float32Array.from({ length }, () => spread * (2 * random() - 1)) }];
    }),
  );
}
