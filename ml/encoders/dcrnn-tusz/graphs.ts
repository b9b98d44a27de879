import { encodeGraph, graph } from '../../onnx/index.ts';
import type { Weights } from '../../weights/types.ts';
import { sizes, unroll } from './cells.ts';

/** Steps (seconds) of a window, one graph for each: 4, or fewer for shorter trials. */
export const stepCounts = [1, 2, 3, 4] as const;

export type GraphName = `nodes${(typeof stepCounts)[number]}`;

/**
 * The graphs of the encoder of DCRNN (Tang et al. 2022), one for each number of steps, as bytes of ONNX from its
 * published weights: features [windows, sites, steps, 100] and support [sites, sites] → nodes_last, nodes_mean
 * [windows, sites, 64], the last state of the highest cell and the mean of its states.
 *
 * @throws RangeError where a tensor is missing or has other dimensions.
 */
export const dcrnnGraphs = Object.fromEntries(
  stepCounts.map((steps) => [`nodes${steps}`, (weights: Weights) => nodesGraph(weights, steps)]),
) as Readonly<Record<GraphName, (weights: Weights) => Uint8Array>>;

function nodesGraph(weights: Weights, steps: number): Uint8Array {
  const inputs = { features: ['windows', 'sites', steps, sizes.bins], support: ['sites', 'sites'] } as const;
  return encodeGraph(
    graph(`dcrnn-tusz nodes${steps}`, inputs, (g, { features, support }) => {
      const states = unroll(g, weights, features, support, steps)[sizes.cells - 1];
      return { nodes_last: states[steps - 1], nodes_mean: g.op('Mean', states) };
    }),
  );
}
