import { encoderAt } from '../../ml/encoders/index.ts';
import type { Encoders } from '../../ml/encoders/types.ts';
import type { Weights } from '../../ml/weights/types.ts';
import { seededWeights } from '../ml/labram-weights.ts';
import { randomDcrnnWeights } from '../ml/plain-dcrnn.ts';
import { randomSleepNetWeights } from '../ml/plain-sleep-net.ts';
import { runnerOf } from './run-graph.ts';
import { provideStandInMovement, standInMovement } from './stand-in-movement.ts';

provideStandInMovement();

/** Untrained weights, the same every time, by the id of their encoder. */
const makers: Readonly<Record<string, () => Weights>> = {
  'robust-sleep-net': () => randomSleepNetWeights(11),
  'labram-base': () => seededWeights(12),
  'dcrnn-tusz': () => randomDcrnnWeights(2),
};

const runners = new Map<string, Promise<Awaited<ReturnType<typeof runnerOf>>>>();

function runnerFor(id: string, graph: string): Promise<Awaited<ReturnType<typeof runnerOf>>> {
  const key = `${id}/${graph}`;
  const runner = runners.get(key) ?? runnerOf(encoderAt(id).graphs[graph]!(makers[id]!()));
  runners.set(key, runner);
  return runner;
}

/** Encoders of this process, on one thread, with untrained weights: no file is needed. */
export const standInEncoders: Encoders =
  ({ id }) =>
  async (graph, inputs) =>
    (await runnerFor(id, graph))(inputs);

/** Their availability for selection; the hashes belong to no file. */
export const standInAvailability: Readonly<Record<string, { readonly hash: string }>> = Object.fromEntries([
  ...Object.keys(makers).map((id, i) => [
    id,
    {
      hash: String(i + 1)
        .repeat(64)
        .slice(0, 64),
    },
  ]),
  ['movement', { hash: standInMovement }] as const,
]);
