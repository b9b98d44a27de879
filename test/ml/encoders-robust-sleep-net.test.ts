import { beforeAll, describe, expect, test } from 'vitest';
import { embedEpochs } from '../../ml/encoders/robust-sleep-net/epochs.ts';
import { at60Hz, framePower, robustSleepNetGraphs } from '../../ml/encoders/robust-sleep-net/index.ts';
import type { Signals } from '../../ml/encoders/robust-sleep-net/index.ts';
import { momentsOf, pooled, standardised } from '../../ml/encoders/robust-sleep-net/moments.ts';
import { readSequence } from '../../ml/encoders/robust-sleep-net/sequence.ts';
import type { GraphTensor } from '../../ml/encoders/types.ts';
import { encodeGraph, graph } from '../../ml/onnx/index.ts';
import { createRandom } from '../../ml/random.ts';
import type { Weights } from '../../ml/weights/types.ts';
import { largestDifference, modelMissing, publishedWeights, referencesOf } from '../support/published-models.ts';
import { robustScale, standardise, standardiseBy, statisticsOf } from '../support/published-sleep-recipe.ts';
import { resamplePoly } from '../support/resample-poly.ts';
import { runnerOf } from '../support/run-graph.ts';
import { plainSleepNet, randomSleepNetWeights } from './plain-sleep-net.ts';

type Run = Awaited<ReturnType<typeof runnerOf>>;

const random = createRandom(3);
const noise = (...dims: number[]): GraphTensor => ({
  dims,
  data: Float32Array.from({ length: dims.reduce((a, b) => a * b, 1) }, () => 4 * random() - 2),
});

/** Embeddings of epochs [epochs, 50] as one sequence. */
const inOrder = ({ dims, data }: GraphTensor): GraphTensor => ({ dims: [1, ...dims], data });

async function runnersOf(weights: Weights): Promise<{ epochs: Run; sequence: Run }> {
  return {
    epochs: await runnerOf(robustSleepNetGraphs.epochs(weights)),
    sequence: await runnerOf(robustSleepNetGraphs.sequence(weights)),
  };
}

/** Epochs z [epochs, channels, 65, frames] as nested lists. */
function nested({ dims, data }: GraphTensor): number[][][][] {
  const [epochs, channels, bins, frames] = dims as [number, number, number, number];
  const list = <T>(length: number, make: (i: number) => T): T[] => Array.from({ length }, (_, i) => make(i));
  return list(epochs, (e) =>
    list(channels, (c) => list(bins, (b) => list(frames, (f) => data[((e * channels + c) * bins + b) * frames + f]!))),
  );
}

/** The channels of z in another order, or more than once. */
function channelsOf({ dims, data }: GraphTensor, order: readonly number[]): GraphTensor {
  const [epochs, channels, bins, frames] = dims as [number, number, number, number];
  const size = bins * frames;
  const out = new Float32Array(epochs * order.length * size);
  for (let e = 0; e < epochs; e++)
    order.forEach((from, to) =>
      out.set(
        data.subarray((e * channels + from) * size, (e * channels + from + 1) * size),
        (e * order.length + to) * size,
      ),
    );
  return { dims: [epochs, order.length, bins, frames], data: out };
}

describe('RobustSleepNet with random weights', () => {
  const weights = randomSleepNetWeights(11);
  let run: { epochs: Run; sequence: Run };
  beforeAll(async () => {
    run = await runnersOf(weights);
  });

  test.each([
    [3, 2, 28],
    [2, 5, 8],
    [1, 1, 1],
  ])('agrees with float64: %i epochs of %i channels and %i frames', async (epochs, channels, frames) => {
    const plain = plainSleepNet(weights);
    const z = noise(epochs, channels, 65, frames);
    const { embedding } = await run.epochs({ z });
    const expected = nested(z).map((epoch) => plain.embed(epoch));
    expect(embedding!.dims).toEqual([epochs, 50]);
    expect(largestDifference(embedding!.data, expected.flat())).toBeLessThan(1e-5);
    const { sequence, probabilities } = await run.sequence({ embeddings: inOrder(embedding!) });
    const read = plain.read(expected);
    expect([sequence!.dims, probabilities!.dims]).toEqual([
      [1, epochs, 100],
      [1, epochs, 5],
    ]);
    expect(largestDifference(sequence!.data, read.sequence.flat())).toBeLessThan(1e-5);
    expect(largestDifference(probabilities!.data, read.probabilities.flat())).toBeLessThan(1e-5);
  });

  test('weights that lack a tensor, or have another shape, are named', () => {
    const lacking = new Map([...weights].filter(([name]) => name !== 'classifier.bias'));
    expect(() => robustSleepNetGraphs.sequence(lacking)).toThrow('The weights hold no tensor classifier.bias.');
    const other = new Map(weights).set('reducer_eeg.reduction.bias', { dims: [49], data: new Float32Array(49) });
    expect(() => robustSleepNetGraphs.epochs(other)).toThrow('The tensor reducer_eeg.reduction.bias is 49, not 50.');
  });
});

describe('the input of RobustSleepNet from trials', () => {
  const trials = (rateHz: number, samples: number): Signals => ({
    data: noise(3, 2, samples).data,
    trials: 3,
    channels: 2,
    samples,
    rateHz,
  });
  const powerOf = (signals: Signals): GraphTensor => {
    const { data, samples } = at60Hz(signals);
    return framePower(data, signals.trials, signals.channels, samples);
  };

  test.each([
    [256, 2560, 8],
    [160, 4800, 28],
    [100, 220, 1],
    [60, 132, 1],
    [512, 1127, 1],
  ])('at %i Hz, %i samples hold %i frames', (rateHz, samples, frames) => {
    const { dims, data } = powerOf(trials(rateHz, samples));
    expect(dims).toEqual([3, 2, 65, frames]);
    expect(data.every(Number.isFinite)).toBe(true);
  });

  test('a trial without a frame is refused', () => {
    expect(() => powerOf(trials(256, 500))).toThrow(
      'A trial of 1.97 s is too short for RobustSleepNet, which reads frames of 2.13 s.',
    );
  });

  test('an offset and other trials have no effect, and a flat channel stays finite', () => {
    const own = trials(256, 2560);
    const read = powerOf(own).data;
    const moved = powerOf({ ...own, data: own.data.map((value) => value + 50) });
    expect(largestDifference(read, moved.data)).toBeLessThan(0.01);
    const one = powerOf({ ...own, trials: 1, data: own.data.subarray(2560 * 2, 2560 * 4) }).data;
    expect(largestDifference(one, read.subarray(one.length, 2 * one.length))).toBe(0);
    const flat = powerOf({ ...own, data: new Float32Array(own.data.length) });
    expect(flat.data.every((value) => value === -20)).toBe(true);
  });
});

const name = 'robust-sleep-net';
describe.skipIf(modelMissing(name))('RobustSleepNet as published', () => {
  const all = [Array.from({ length: 21 }, (_, row) => row)];
  let weights: Weights;
  let reference: (name: string) => GraphTensor;
  let run: { epochs: Run; sequence: Run };
  beforeAll(async () => {
    weights = publishedWeights(name);
    reference = referencesOf(name);
    run = await runnersOf(weights);
  });

  const off = (found: GraphTensor | undefined, expected: string): number =>
    largestDifference(found!.data, reference(expected).data);

  /** x [2 channels × 21 epochs of 1800 samples] by epoch. */
  const epochsOf = (x: Float32Array): Float32Array => {
    const out = new Float32Array(x.length);
    for (let e = 0; e < 21; e++)
      for (let c = 0; c < 2; c++) out.set(x.subarray((c * 21 + e) * 1800, (c * 21 + e + 1) * 1800), (e * 2 + c) * 1800);
    return out;
  };

  test('from standardised features: embeddings, sequence and probabilities', async () => {
    const { embedding } = await run.epochs({ z: reference('features_seq21') });
    expect(off(embedding, 'embedding_seq21')).toBeLessThan(1e-5);
    const { sequence, probabilities } = await run.sequence({ embeddings: inOrder(embedding!) });
    expect(off(sequence, 'sequence_seq21')).toBeLessThan(1e-5);
    expect(off(probabilities, 'probs_seq21')).toBeLessThan(1e-5);
  });

  test('each epoch alone, by its own statistics and by those of all', async () => {
    const { embedding: own } = await run.epochs({ z: reference('features_single') });
    expect(off(own, 'embedding_single')).toBeLessThan(1e-5);
    for (const [embeddings, expected] of [
      [own!, 'probs_single'],
      [reference('embedding_seq21'), 'probs_single_seqstats'],
    ] as const) {
      const each: number[] = [];
      for (let e = 0; e < 21; e++) {
        const row = { dims: [1, 50], data: embeddings.data.slice(e * 50, (e + 1) * 50) };
        each.push(...(await run.sequence({ embeddings: inOrder(row) })).probabilities!.data);
      }
      expect(largestDifference(each, reference(expected).data), expected).toBeLessThan(1e-5);
    }
  });

  test('every stage inside, of the first epoch and of the sequence', async () => {
    const inner = graph('stages', { z: ['epochs', 'channels', 65, 'frames'] }, (g, { z }) => {
      const { channelWeights, ...others } = embedEpochs(g, weights, z);
      const { logits } = readSequence(g, weights, g.op('Unsqueeze', [others.embedding, g.integers([0])]));
      return { ...others, logits, channelWeights: g.op('Transpose', [channelWeights], { perm: [1, 0, 2, 3] }) };
    });
    const z = reference('features_seq21');
    const outputs = await (await runnerOf(encodeGraph(inner)))({ z });
    expect(off(outputs['logits'], 'logits_seq21')).toBeLessThan(1e-5);
    const first = { dims: [1, 2, 65, 28], data: z.data.slice(0, 2 * 65 * 28) };
    const stages = await (await runnerOf(encodeGraph(inner)))({ z: first });
    // The reference has channels before frames.
    const reduced = stages['reduced']!.data;
    const turned = Float32Array.from({ length: reduced.length }, (_, i) => {
      const [channel, frame, filter] = [Math.floor(i / 896), Math.floor(i / 32) % 28, i % 32];
      return reduced[(frame * 2 + channel) * 32 + filter]!;
    });
    expect(largestDifference(turned, reference('dbg_reduced').data)).toBeLessThan(1e-5);
    for (const [stage, expected] of [
      ['channelWeights', 'dbg_channel_weights'],
      ['virtual', 'dbg_virtual'],
      ['gru', 'dbg_gru'],
      ['poolIn', 'dbg_pool_in'],
      ['poolWeights', 'dbg_pool_weights'],
    ] as const)
      expect(off(stages[stage], expected), stage).toBeLessThan(3e-5);
  });

  test('features: from scaled signals at 60 Hz within the digits of float32', async () => {
    const power = framePower(epochsOf(reference('x60').data), 21, 2, 1800);
    expect(off(power, 'logpower')).toBeLessThan(1e-3);
    const { mean, deviation } = statisticsOf(reference('logpower'), all[0]!);
    expect(largestDifference(mean, reference('mu_seq21').data)).toBeLessThan(1e-5);
    expect(largestDifference(deviation, reference('sigma_seq21').data)).toBeLessThan(1e-5);
    expect(off(standardise(reference('logpower'), all), 'features_seq21')).toBeLessThan(2e-5);
    expect(off(standardise(reference('logpower')), 'features_single')).toBeLessThan(2e-5);
    const given = standardiseBy(reference('logpower'), all[0]!, { mean, deviation });
    expect(off(given, 'features_seq21')).toBeLessThan(2e-5);
    const { embedding } = await run.epochs({ z: standardise(power, all) });
    expect(off(embedding, 'embedding_seq21')).toBeLessThan(2e-4);
    const powers = { data: reference('logpower').data, trials: 21, channels: 2, bins: 65, frames: 28 };
    const standard = pooled(momentsOf(powers), 2 * 2 * 65, all[0]!);
    const z = { dims: power.dims, data: standardised(powers, all[0]!, standard) };
    const served = await run.epochs({ z });
    expect(off(z, 'features_seq21')).toBeLessThan(1e-4);
    expect(off(served['embedding'], 'embedding_seq21')).toBeLessThan(5e-4);
    const { probabilities } = await run.sequence({ embeddings: inOrder(embedding!) });
    expect(off(probabilities, 'probs_seq21')).toBeLessThan(1e-5);
  });

  test('the whole way, from the recording as one trial at 160 Hz, with the rate changed as in training', async () => {
    const raw = { data: reference('raw160').data, trials: 1, channels: 2, samples: 100_800, rateHz: 160 };
    expect(largestDifference(resamplePoly(raw.data, 2, 100_800, 160, 100).data, reference('raw100').data)).toBe(0);
    const at60 = at60Hz(raw, resamplePoly);
    expect(off({ dims: [], data: at60.data }, 'band60')).toBeLessThan(2e-4);
    robustScale(at60.data, [0], { channels: 2, samples: at60.samples });
    expect(off({ dims: [], data: at60.data }, 'x60')).toBeLessThan(1e-5);
    const z = standardise(framePower(epochsOf(at60.data), 21, 2, 1800), all);
    const { embedding } = await run.epochs({ z });
    expect(off(embedding, 'embedding_seq21')).toBeLessThan(5e-4);
    const { probabilities } = await run.sequence({ embeddings: inOrder(embedding!) });
    expect(off(probabilities, 'probs_seq21')).toBeLessThan(1e-4);
  });

  test('order and repetition of channels change nothing, and neither do other epochs', async () => {
    const z = reference('features_seq21');
    for (const order of [
      [1, 0],
      [0, 1, 0, 1],
    ])
      expect(off((await run.epochs({ z: channelsOf(z, order) })).embedding, 'embedding_seq21')).toBeLessThan(1e-5);
    const size = 2 * 65 * 28;
    for (const e of [0, 13]) {
      const one = { dims: [1, 2, 65, 28], data: z.data.slice(e * size, (e + 1) * size) };
      const { embedding } = await run.epochs({ z: one });
      expect(
        largestDifference(embedding!.data, reference('embedding_seq21').data.subarray(e * 50, (e + 1) * 50)),
      ).toBeLessThan(1e-5);
    }
  });
});
