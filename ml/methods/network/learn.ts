import { packedSize } from '../../geometry/index.ts';
import { createRandom } from '../../random.ts';
import type { Random } from '../../random.ts';
import { copyOf, createAdam } from '../descent/adam.ts';
import { batchesOf, classWeights, lossOn, targetsOf } from '../descent/batches.ts';
import { innerSplit } from '../descent/inner-split.ts';
import { stepsThatHelp } from '../descent/steps.ts';
import { tensors } from '../descent/tensors.ts';
import type { Tensors } from '../descent/tensors.ts';
import type { TrainingData } from '../types.ts';
import { fitBank, onChannels, reduced } from './bank.ts';
import type { Bank } from './bank.ts';
import { createNetwork } from './graph.ts';
import type { Batch, Network, NetworkShape, Parameters, Standard } from './graph.ts';
import { relevanceOf } from './relevance.ts';

const rank = 8;
const batchRows = 256;
const patience = { fewest: 5, most: 60, every: 5, patience: 20 };
const dropout = 0.25;
const seed = 90_210;
const rates = { filters: 0.01, weights: 0.02, bias: 0.02 };
const pull = { filters: 0.01, weights: 0.2, bias: 0 };

/** A trained network: filters on channels [bands·count × p], then one dense layer on standardised log powers. */
export interface Learned {
  readonly p: number;
  readonly bands: number;
  readonly count: number;
  readonly filters: Float64Array;
  readonly mean: Float64Array;
  readonly gain: Float64Array;
  readonly weights: Float64Array;
  readonly bias: Float64Array;
  readonly steps: number;
}

/**
 * Trains a network. Early stopping on a part of `rows` finds the number of steps; then all of `rows` are trained on for
 * that many. Fixed seed, at most 2 × 60 steps.
 */
export function learn(data: TrainingData, rows: Int32Array): Learned {
  const tf = tensors();
  const { learn: part, watch } = innerSplit(data, rows);
  const steps = run(tf, data, part, ({ network, parameters, batchOf, step }) => {
    const seen = batchOf(watch);
    const weigh = classWeights(data.labels, watch, data.classes.length);
    return stepsThatHelp(
      step,
      () => lossOn(network.logProbabilities(parameters, seen), data.labels, watch, weigh),
      patience,
    );
  });
  return run(tf, data, rows, (session) => {
    for (let step = 0; step < steps; step += 1) session.step();
    const {
      bank,
      shape: { count },
      parameters: { filters, weights, bias },
      standard,
    } = session;
    return {
      p: bank.p,
      bands: bank.bands,
      count,
      filters: onChannels(bank, filters),
      ...standard,
      weights,
      bias,
      steps,
    };
  });
}

interface Session {
  readonly bank: Bank;
  readonly shape: NetworkShape;
  readonly parameters: Parameters;
  readonly standard: Standard;
  readonly network: Network;
  batchOf(rows: Int32Array): Batch;
  step(): void;
}

/** Opens a training session on `rows`, and frees its tensors afterwards. */
function run<T>(tf: Tensors, data: TrainingData, rows: Int32Array, use: (session: Session) => T): T {
  const openBatches: Batch[] = [];
  try {
    const bank = fitBank(data, rows, rank);
    const shape: NetworkShape = {
      bands: bank.bands,
      rank: bank.rank,
      count: Math.min(bank.rank, data.classes.length > 2 ? 6 : 4),
      classes: data.classes.length,
    };
    const weigh = classWeights(data.labels, rows, shape.classes);
    const batchOf = (own: Int32Array): Batch => {
      openBatches.push({
        rows: own.length,
        covariances: tf.tensor3d(reduced(bank, data.features, own), [bank.bands, packedSize(bank.rank), own.length]),
        targets: tf.tensor2d(targetsOf(data.labels, own, weigh), [own.length, shape.classes]),
      });
      return openBatches.at(-1)!;
    };
    const random = createRandom(seed);
    const batches = batchesOf(rows, batchRows, random).map(batchOf);
    const parameters = initial(shape);
    const standard = {
      mean: new Float64Array(shape.bands * shape.count),
      gain: new Float64Array(shape.bands * shape.count),
    };
    const network = createNetwork(tf, shape, standard);
    measure(
      standard,
      batches.map((batch) => network.logPowers(parameters.filters, batch)),
    );
    relevanceOf(data, rows, shape.count).forEach((worth, b) => {
      for (let f = 0; f < shape.count; f += 1) standard.gain[b * shape.count + f] *= worth;
    });
    const adam = createAdam(parameters, copyOf(parameters), { rates, pull });
    let taken = 0;
    const step = (): void => {
      const batch = batches[taken % batches.length];
      adam(network.lossAndGradients(parameters, batch, maskOf(batch.rows * standard.mean.length, random)).gradients);
      taken += 1;
    };
    return use({ bank, shape, parameters, standard, network, batchOf, step });
  } finally {
    for (const { covariances, targets } of openBatches) tf.dispose([covariances, targets]);
  }
}

/** Filters start as the leading directions of each band, the dense layer at zero. */
function initial({ bands, rank, count, classes }: NetworkShape): Parameters {
  const filters = new Float64Array(bands * count * rank);
  for (let u = 0; u < bands * count; u += 1) filters[u * rank + (u % count)] = 1;
  return { filters, weights: new Float64Array(bands * count * classes), bias: new Float64Array(classes) };
}

/** Mean and inverse spread of the log powers of all batches, before the first step. */
function measure({ mean, gain }: Standard, logs: readonly Float32Array[]): void {
  const units = mean.length;
  const rows = logs.reduce((sum, { length }) => sum + length / units, 0);
  for (const own of logs)
    own.forEach((v, i) => {
      mean[Math.floor((i * units) / own.length)] += v / rows;
    });
  const squares = new Float64Array(units);
  for (const own of logs)
    own.forEach((v, i) => {
      const u = Math.floor((i * units) / own.length);
      squares[u] += (v - mean[u]) ** 2 / rows;
    });
  squares.forEach((v, u) => {
    gain[u] = v > 0 ? 1 / Math.sqrt(v) : 0;
  });
}

function maskOf(length: number, random: Random): Float32Array {
  const mask = new Float32Array(length);
  for (let i = 0; i < length; i += 1) mask[i] = random() < dropout ? 0 : 1 / (1 - dropout);
  return mask;
}
