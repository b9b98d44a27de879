import { bidirectionalGru, linear } from '../../onnx/index.ts';
import type { GraphBuilder, Value } from '../../onnx/index.ts';
import type { Weights } from '../../weights/types.ts';
import { tensorOf } from '../tensor-of.ts';
import { gruOf, sizes } from './epochs.ts';

/** Classes in the order of `probabilities`. */
export const stages = ['W', 'N1', 'N2', 'N3', 'REM'] as const;

const hidden = 50;

/** Reads consecutive epochs together: embeddings [sequences, epochs, 50]. */
export function readSequence(
  g: GraphBuilder,
  weights: Weights,
  embeddings: Value,
): {
  /** [sequences, epochs, 100] */
  sequence: Value;
  /** [sequences, epochs, 5] each */
  logits: Value;
  probabilities: Value;
} {
  const width = 2 * hidden;
  let q = embeddings;
  for (const layer of [0, 1]) {
    const name = `sequence_encoder.encoder.${layer}`;
    const features = layer === 0 ? sizes.embedding : width;
    const direct = linear(
      g,
      q,
      tensorOf(weights, `${name}.residual_connection.weight`, [width, features]),
      tensorOf(weights, `${name}.residual_connection.bias`, [width]),
    );
    const inTime = g.op('Transpose', [q], { perm: [1, 0, 2] });
    const gru = bidirectionalGru(g, inTime, gruOf(weights, `${name}.gru`, features, hidden));
    q = g.op('Mul', [g.op('Add', [direct, gru]), g.scalar(0.5)]);
  }
  const logits = linear(
    g,
    q,
    tensorOf(weights, 'classifier.weight', [stages.length, width]),
    tensorOf(weights, 'classifier.bias', [stages.length]),
  );
  return { sequence: q, logits, probabilities: g.op('Softmax', [logits], { axis: 2 }) };
}
