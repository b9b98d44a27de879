import { headPositionOf, sites19 } from '../../../ml/channels/index.ts';
import { dcrnnGraphs, logSpectrum, onUnitSphere, support } from '../../../ml/encoders/dcrnn-tusz/index.ts';
import { labramGraph, prepare } from '../../../ml/encoders/labram/index.ts';
import { at60Hz, framePower, robustSleepNetGraphs } from '../../../ml/encoders/robust-sleep-net/index.ts';
import type { Signals } from '../../../ml/encoders/robust-sleep-net/index.ts';
import type { GraphTensor } from '../../../ml/encoders/types.ts';
import { createRandom } from '../../../ml/random.ts';
import type { Weights } from '../../../ml/weights/index.ts';
import { standardise } from '../../support/published-sleep-recipe.ts';
import { seededWeights } from '../../ml/labram-weights.ts';
import { randomDcrnnWeights } from '../../ml/plain-dcrnn.ts';
import { randomSleepNetWeights } from '../../ml/plain-sleep-net.ts';

type Tensors = Readonly<Record<string, GraphTensor>>;

/** What one process has measured of one graph. */
export interface Measured {
  readonly buildMs: number;
  readonly bytes: number;
  readonly sessionMs: number;
  /** Resident memory that the session took, and that it held after its runs, in bytes. */
  readonly sessionMemory: number;
  readonly afterRuns: number;
  /** By `channels × windows`: milliseconds of a window from signal to input, and through the graph. */
  readonly times: Readonly<Record<string, { readonly prepare: number; readonly graph: number }>>;
}

export const channelCounts = [2, 8, 19];
export const batches = [1, 32];

/** A graph that is measured, with random weights of its shapes: they decide neither time nor memory. */
export interface GraphCase {
  readonly title: string;
  readonly windowSeconds: number;
  readonly weights: () => Weights;
  readonly graph: (weights: Weights) => Uint8Array;
  /** What the graph takes of windows, one a trial. */
  readonly prepare: (trials: Signals) => Tensors;
}

export const cases: Readonly<Record<string, GraphCase>> = {
  'robust-sleep-net': {
    title: 'RobustSleepNet, epochs',
    windowSeconds: 30,
    weights: () => randomSleepNetWeights(1),
    graph: robustSleepNetGraphs.epochs,
    prepare: (trials) => {
      const { data, samples } = at60Hz(trials);
      return { z: standardise(framePower(data, trials.trials, trials.channels, samples)) };
    },
  },
  'dcrnn-tusz': {
    title: 'DCRNN, four steps',
    windowSeconds: 4,
    weights: () => randomDcrnnWeights(1),
    graph: dcrnnGraphs.nodes4,
    prepare: (trials) => ({
      features: logSpectrum(trials).features,
      support: support(onUnitSphere(sites19.slice(0, trials.channels).map((name) => headPositionOf(name)!))),
    }),
  },
  'labram-base': {
    title: 'LaBraM-base',
    windowSeconds: 4,
    weights: () => seededWeights(12),
    graph: labramGraph,
    prepare: (trials) => {
      const rows = Array.from({ length: trials.channels }, (_, row) => row);
      const own = { ...trials, sourceRateHz: trials.rateHz, channelNames: sites19.slice(0, trials.channels) };
      return prepare(own, { rows, places: rows.map((row) => row + 1) });
    },
  },
};

const random = createRandom(1);
export const noise = (length: number): Float32Array => Float32Array.from({ length }, () => random() - 0.5);
