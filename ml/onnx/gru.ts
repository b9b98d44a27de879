import type { GraphBuilder } from './graph.ts';
import type { Constant, Value } from './types.ts';

/** One direction of a gated recurrent unit; rows in blocks reset, update, new, as PyTorch stores them. */
export interface GruWeights {
  /** [3 hidden × features] */
  readonly input: Constant;
  /** [3 hidden × hidden] */
  readonly recurrent: Constant;
  /** [3 hidden] each */
  readonly inputBias: Constant;
  readonly recurrentBias: Constant;
}

/**
 * Forward and backward gated recurrent units (Cho et al. 2014; the reset gate after the product, as in cuDNN) over
 * x [time, batch, features], from zero: [batch, time, 2 hidden], forward before backward.
 */
export function bidirectionalGru(g: GraphBuilder, x: Value, directions: readonly [GruWeights, GruWeights]): Value {
  const hidden = directions[0].recurrent.dims[1];
  const features = directions[0].input.dims[1];
  const all = (parts: readonly Constant[], dims: readonly number[]): Value =>
    g.constant({ dims, data: joined(parts.map((part) => updateFirst(part.data))) });
  const [y] = g.ops(
    'GRU',
    [
      x,
      all(
        directions.map(({ input }) => input),
        [2, 3 * hidden, features],
      ),
      all(
        directions.map(({ recurrent }) => recurrent),
        [2, 3 * hidden, hidden],
      ),
      all(
        directions.flatMap(({ inputBias, recurrentBias }) => [inputBias, recurrentBias]),
        [2, 6 * hidden],
      ),
    ],
    1,
    { direction: 'bidirectional', hidden_size: hidden, linear_before_reset: 1 },
  );
  return g.op('Reshape', [g.op('Transpose', [y], { perm: [2, 0, 1, 3] }), g.integers([0, 0, 2 * hidden])]);
}

/** Blocks reset, update, new as ONNX wants them: update, reset, new. */
function updateFirst(blocks: Float32Array): Float32Array {
  const block = blocks.length / 3;
  const out = blocks.slice();
  out.copyWithin(block, 0, block);
  out.set(blocks.subarray(block, 2 * block), 0);
  return out;
}

function joined(parts: readonly Float32Array[]): Float32Array {
  const out = new Float32Array(parts.reduce((length, part) => length + part.length, 0));
  parts.reduce((at, part) => (out.set(part, at), at + part.length), 0);
  return out;
}
