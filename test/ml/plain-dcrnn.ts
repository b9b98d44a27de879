import { createRandom } from '../../ml/random.ts';
import type { Weights } from '../../ml/weights/types.ts';

type Table = readonly (readonly number[])[];

const product = (a: Table, b: Table): number[][] =>
  a.map((row) => b[0]!.map((_, j) => row.reduce((sum, value, i) => sum + value * b[i]![j]!, 0)));
const zip = (a: Table, b: Table, by: (x: number, y: number) => number): number[][] =>
  a.map((row, i) => row.map((value, j) => by(value, b[i]![j]!)));
const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));
const hidden = 64;

/** The published cells in float64: hidden state [sites × 64] by cell and step, of steps [sites × 100] of one window. */
export function plainDcrnn(weights: Weights, steps: readonly Table[], support: Table): number[][][][] {
  const dc = (name: string, x: Table): number[][] => {
    const { dims, data } = weights.get(`${name}.weight`)!;
    const biases = weights.get(`${name}.biases`)!.data;
    const once = product(support, x);
    const terms = [x, once, zip(product(support, once), x, (twice, own) => 2 * twice - own)];
    const width = dims[1]!;
    return x.map((row, n) =>
      Array.from({ length: width }, (_, out) => {
        let sum = biases[out]!;
        for (let k = 0; k < 3; k++)
          for (let i = 0; i < row.length; i++) sum += terms[k]![n]![i]! * data[(3 * i + k) * width + out]!;
        return sum;
      }),
    );
  };
  const join = (a: Table, b: Table): number[][] => a.map((row, i) => [...row, ...b[i]!]);
  let inputs: readonly Table[] = steps;
  return [0, 1, 2].map((cell) => {
    const name = `encoder.encoding_cells.${cell}`;
    let h: number[][] = support.map(() => Array.from({ length: hidden }, () => 0));
    const states = inputs.map((x) => {
      const gates = dc(`${name}.dconv_gate`, join(x, h)).map((row) => row.map(sigmoid));
      const [reset, update] = [gates.map((row) => row.slice(0, hidden)), gates.map((row) => row.slice(hidden))];
      const c = dc(
        `${name}.dconv_candidate`,
        join(
          x,
          zip(reset, h, (r, was) => r * was),
        ),
      );
      const kept = zip(update, h, (u, was) => u * was);
      h = zip(
        kept,
        zip(update, c, (u, v) => (1 - u) * Math.tanh(v)),
        (a, b) => a + b,
      );
      return h;
    });
    inputs = states;
    return states;
  });
}

/** Weights of the encoder's shapes from a seed. */
export function randomDcrnnWeights(seed: number): Weights {
  const random = createRandom(seed);
  const tensors = [0, 1, 2].flatMap((cell) =>
    (['dconv_gate', 'dconv_candidate'] as const).flatMap((part) => {
      const [into, out] = [3 * ((cell === 0 ? 100 : hidden) + hidden), part === 'dconv_gate' ? 2 * hidden : hidden];
      const name = `encoder.encoding_cells.${cell}.${part}`;
      return [
        [`${name}.weight`, [into, out]],
        [`${name}.biases`, [out]],
      ] as [string, number[]][];
    }),
  );
  return new Map(
    tensors.map(([name, dims]) => {
      const length = dims.reduce((a, b) => a * b, 1);
      return [name, { dims, data: Float32Array.from({ length }, () => 0.2 * random() - 0.1) }];
    }),
  );
}
