import type { GraphBuilder } from './graph.ts';
import type { Constant, Value } from './types.ts';

/** x Wᵀ + b along the last axis of x, W [out × in] as layers are published, b [out]. */
export function linear(g: GraphBuilder, x: Value, weight: Constant, bias?: Constant): Value {
  const product = g.op('MatMul', [x, g.constant(transposed(weight))]);
  return bias ? g.op('Add', [product, g.constant(bias)]) : product;
}

/** Layer norm over the last axis. */
export function layerNorm(g: GraphBuilder, x: Value, scale: Constant, bias: Constant, epsilon: number): Value {
  return g.op('LayerNormalization', [x, g.constant(scale), g.constant(bias)], {
    axis: -1,
    epsilon: { float: epsilon },
  });
}

/**
 * Group norm of x [batch, channels, …]: mean and variance (divisor n) of each of `groups` runs of channels, then scale
 * and bias [channels] (Wu & He 2018). `rank` is the number of axes of x.
 */
export function groupNorm(g: GraphBuilder, x: Value, { groups, rank, scale, bias, epsilon }: GroupNormOptions): Value {
  const channels = scale.data.length;
  const folded = g.op('Reshape', [x, g.integers([0, groups, -1])]);
  const ones = { dims: [groups], data: new Float32Array(groups).fill(1) };
  const zeros = { dims: [groups], data: new Float32Array(groups) };
  const normal = g.op('InstanceNormalization', [folded, g.constant(ones), g.constant(zeros)], {
    epsilon: { float: epsilon },
  });
  const unfolded = g.op('Reshape', [normal, g.op('Shape', [x])]);
  const along = [channels, ...Array.from({ length: rank - 2 }, () => 1)];
  const scaled = g.op('Mul', [unfolded, g.constant({ dims: along, data: scale.data })]);
  return g.op('Add', [scaled, g.constant({ dims: along, data: bias.data })]);
}

export interface GroupNormOptions {
  readonly groups: number;
  readonly rank: number;
  readonly scale: Constant;
  readonly bias: Constant;
  readonly epsilon: number;
}

/** x Φ(x), Φ the normal distribution function (Hendrycks & Gimpel 2016), by erf. */
export function gelu(g: GraphBuilder, x: Value): Value {
  const phi = g.op('Add', [g.op('Erf', [g.op('Mul', [x, g.scalar(Math.SQRT1_2)])]), g.scalar(1)]);
  return g.op('Mul', [g.op('Mul', [x, g.scalar(0.5)]), phi]);
}

/** Transposes a matrix [rows × columns]. The same input gives the same object. */
export function transposed(matrix: Constant): Constant {
  const kept = turned.get(matrix.data);
  if (kept) return kept;
  const [rows, columns] = matrix.dims;
  if (matrix.dims.length !== 2) throw new RangeError(`A matrix has two dimensions, not ${matrix.dims.length}.`);
  const data = new Float32Array(rows * columns);
  for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) data[j * rows + i] = matrix.data[i * columns + j];
  const made = { dims: [columns, rows], data };
  turned.set(matrix.data, made);
  return made;
}

const turned = new WeakMap<Float32Array, Constant>();
