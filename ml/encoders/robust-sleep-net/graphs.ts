import { encodeGraph, graph } from '../../onnx/index.ts';
import type { Weights } from '../../weights/types.ts';
import { embedEpochs, sizes } from './epochs.ts';
import { readSequence } from './sequence.ts';

/**
 * The graphs of RobustSleepNet (Guillot & Thorey 2021), as bytes of ONNX from its published weights:
 * `epochs`, z [epochs, channels, 65, frames] → embedding [epochs, 50], for any number of epochs, channels and frames;
 * `sequence`, embeddings [sequences, epochs, 50] → sequence [sequences, epochs, 100], probabilities [sequences, epochs,
 * 5].
 *
 * @throws RangeError where a tensor is missing or has other dimensions.
 */
export const robustSleepNetGraphs: Readonly<Record<'epochs' | 'sequence', (weights: Weights) => Uint8Array>> = {
  epochs: (weights) =>
    encodeGraph(
      graph('robust-sleep-net epochs', { z: ['epochs', 'channels', sizes.bins, 'frames'] }, (g, { z }) => ({
        embedding: embedEpochs(g, weights, z).embedding,
      })),
    ),
  sequence: (weights) =>
    encodeGraph(
      graph(
        'robust-sleep-net sequence',
        { embeddings: ['sequences', 'epochs', sizes.embedding] },
        (g, { embeddings }) => {
          const { sequence, probabilities } = readSequence(g, weights, embeddings);
          return { sequence, probabilities };
        },
      ),
    ),
};
