import type { Constant, GraphBuilder, Value } from '../../onnx/index.ts';
import type { Weights } from '../../weights/types.ts';
import { tensorOf } from '../tensor-of.ts';

/** Bins of a node in the first cell, width of its state, number of stacked cells, Chebyshev terms. */
export const sizes = { bins: 100, hidden: 64, cells: 3, terms: 3 } as const;

/**
 * The stacked diffusion-convolutional cells over `steps` one-second steps, from zero: hidden state by cell and step,
 * [windows, sites, 64] each.
 *
 * @param features [windows, sites, steps, 100]
 * @param support [sites, sites]
 */
export function unroll(g: GraphBuilder, weights: Weights, features: Value, support: Value, steps: number): Value[][] {
  const diffuse = diffusion(g, support);
  let inputs = g
    .ops('Split', [features, g.integers(Array.from({ length: steps }, () => 1))], steps, { axis: 2 })
    .map((step) => g.op('Squeeze', [step, g.integers([2])]));
  return Array.from({ length: sizes.cells }, (_, cell) => {
    const states: Value[] = [];
    const next = cellOf(g, weights, cell, diffuse);
    for (const x of inputs) states.push(next(x, states.at(-1) ?? null));
    inputs = states;
    return states;
  });
}

/** x [windows, sites, n] beside its neighbours': T₀ = x, T₁ = S x, T₂ = 2 S T₁ − x, [windows, sites, 3 n]. */
function diffusion(g: GraphBuilder, support: Value): (x: Value) => Value {
  const twice = g.op('Add', [support, support]);
  return (x) => {
    const first = g.op('MatMul', [support, x]);
    const second = g.op('Sub', [g.op('MatMul', [twice, first]), x]);
    return g.op('Concat', [x, first, second], { axis: -1 });
  };
}

/**
 * One cell: gates r, u = σ(dc([x, h])), candidate c = tanh(dc([x, r h])), next state u h + (1 − u) c. One product with
 * x serves gates and candidate. In the first step h = 0, so the products with h are left out.
 */
function cellOf(
  g: GraphBuilder,
  weights: Weights,
  cell: number,
  diffuse: (x: Value) => Value,
): (x: Value, past: Value | null) => Value {
  const { bins, hidden, terms } = sizes;
  const width = cell === 0 ? bins : hidden;
  const name = `encoder.encoding_cells.${cell}`;
  const take = (part: string, out: number): Constant =>
    tensorOf(weights, `${name}.${part}.weight`, [terms * (width + hidden), out]);
  const [gate, candidate] = [take('dconv_gate', 2 * hidden), take('dconv_candidate', hidden)];
  const biases = [
    tensorOf(weights, `${name}.dconv_gate.biases`, [2 * hidden]),
    tensorOf(weights, `${name}.dconv_candidate.biases`, [hidden]),
  ];
  const fromX = g.constant(byTerm([gate, candidate], 0, width));
  const bias = g.constant({
    dims: [3 * hidden],
    data: Float32Array.from(biases.flatMap(({ data }) => [...data])),
  });
  const [gateFromH, candidateFromH] = [gate, candidate].map((part) => byTerm([part], width, hidden));

  const mix = (update: Value, past: Value | null, c: Value): Value => {
    const fresh = g.op('Mul', [g.op('Sub', [g.scalar(1), update]), c]);
    return past ? g.op('Add', [g.op('Mul', [update, past]), fresh]) : fresh;
  };
  return (x, past) => {
    const own = g.op('Add', [g.op('MatMul', [diffuse(x), fromX]), bias]);
    const [ownGates, ownCandidate] = g.ops('Split', [own, g.integers([2 * hidden, hidden])], 2, { axis: -1 });
    const sum = (of: Value, h: Value, by: Constant): Value =>
      g.op('Add', [of, g.op('MatMul', [diffuse(h), g.constant(by)])]);
    const gates = g.op('Sigmoid', [past ? sum(ownGates, past, gateFromH) : ownGates]);
    const [reset, update] = g.ops('Split', [gates, g.integers([hidden, hidden])], 2, { axis: -1 });
    const all = past ? sum(ownCandidate, g.op('Mul', [reset, past]), candidateFromH) : ownCandidate;
    return mix(update, past, g.op('Tanh', [all]));
  };
}

/**
 * Weights of features `from` to `from + count`, stored as rows 3 · feature + term, with the terms one after the other:
 * [3 count × out], matrices side by side.
 */
function byTerm(matrices: readonly Constant[], from: number, count: number): Constant {
  const { terms } = sizes;
  const out = matrices.reduce((sum, { dims }) => sum + dims[1], 0);
  const data = new Float32Array(terms * count * out);
  let column = 0;
  for (const { dims, data: stored } of matrices) {
    const width = dims[1];
    for (let term = 0; term < terms; term++)
      for (let i = 0; i < count; i++) {
        const row = (terms * (from + i) + term) * width;
        data.set(stored.subarray(row, row + width), (term * count + i) * out + column);
      }
    column += width;
  }
  return { dims: [terms * count, out], data };
}
