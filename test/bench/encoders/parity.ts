import { dcrnnGraphs, logSpectrum, support } from '../../../ml/encoders/dcrnn-tusz/index.ts';
import { robustSleepNetGraphs } from '../../../ml/encoders/robust-sleep-net/index.ts';
import type { GraphTensor } from '../../../ml/encoders/types.ts';
import type { Position } from '../../../ml/channels/index.ts';
import { cases, farthest, outputs } from '../../ml/labram-golden.ts';
import { largestDifference, modelMissing, publishedWeights, referencesOf } from '../../support/published-models.ts';
import { publishedLogPower, standardise } from '../../support/published-sleep-recipe.ts';
import { runnerOf } from '../../support/run-graph.ts';

/** Encoder, what it began with, reference array, largest absolute difference, tolerance. */
export type ParityRow = readonly [string, string, string, string, string];

type Compare = (from: string, array: string, found: GraphTensor | undefined, tolerance: string) => void;

/**
 * Largest difference to each reference array of the published models that are here, and of LaBraM to the reference
 * implementation with the same seeded weights.
 */
export async function parity(): Promise<ParityRow[]> {
  const rows: ParityRow[] = [];
  for (const [model, compareAll] of Object.entries({ 'robust-sleep-net': sleepNet, 'dcrnn-tusz': dcrnn })) {
    if (modelMissing(model)) continue;
    const reference = referencesOf(model);
    await compareAll(reference, (from, array, found, tolerance) => {
      const off = largestDifference(found!.data, reference(array).data);
      rows.push([model, from, array, off.toExponential(1), tolerance]);
    });
  }
  for (const golden of cases) {
    const { sitesData, pooledData } = await outputs(golden);
    const from = `${golden.depth} layers, ${golden.channels.length} channels × ${golden.patches} s`;
    const off = { sites: farthest(sitesData, golden.sites, golden.every), pooled: farthest(pooledData, golden.pooled) };
    for (const [array, value] of Object.entries(off))
      rows.push(['labram-base, seeded weights', from, array, value.toExponential(1), '1e-4']);
  }
  return rows;
}

type Reference = (name: string) => GraphTensor;

async function sleepNet(reference: Reference, compare: Compare): Promise<void> {
  const weights = publishedWeights('robust-sleep-net');
  const epochs = await runnerOf(robustSleepNetGraphs.epochs(weights));
  const sequence = await runnerOf(robustSleepNetGraphs.sequence(weights));
  const all = [Array.from({ length: 21 }, (_, row) => row)];
  const rest = async (from: string, z: GraphTensor): Promise<void> => {
    const { embedding } = await epochs({ z });
    compare(from, 'embedding_seq21', embedding, '5e-4');
    const read = await sequence({ embeddings: { dims: [1, ...embedding!.dims], data: embedding!.data } });
    compare(from, 'sequence_seq21', read['sequence'], '5e-4');
    compare(from, 'probs_seq21', read['probabilities'], '1e-4');
  };
  await rest('features', reference('features_seq21'));
  compare('features', 'embedding_single', (await epochs({ z: reference('features_single') }))['embedding'], '5e-4');
  compare('log power', 'features_seq21', standardise(reference('logpower'), all), '');
  await rest('log power', standardise(reference('logpower'), all));
  // The recording as one trial, whose frames are then cut into epochs of 30 s: a frame begins each second.
  const raw = { data: reference('raw160').data, trials: 1, channels: 2, samples: 100_800, rateHz: 160 };
  const whole = publishedLogPower(raw);
  const power = { dims: [21, 2, 65, 28], data: new Float32Array(21 * 2 * 65 * 28) };
  for (let e = 0; e < 21; e++)
    for (let row = 0; row < 130; row++) {
      const from = row * whole.dims[3]! + 30 * e;
      power.data.set(whole.data.subarray(from, from + 28), (e * 130 + row) * 28);
    }
  compare('signal', 'logpower', power, '');
  await rest('signal', standardise(power, all));
}

async function dcrnn(reference: Reference, compare: Compare): Promise<void> {
  const run = await runnerOf(dcrnnGraphs.nodes4(publishedWeights('dcrnn-tusz')));
  const eeg = { data: reference('eeg').data, trials: 3, channels: 19, samples: 800, rateHz: 200 };
  const features = await run({ features: reference('logspec'), support: reference('support') });
  compare('features', 'nodes_last', features['nodes_last'], '5e-4');
  compare('features', 'nodes_mean', features['nodes_mean'], '5e-4');
  compare('signal', 'logspec', logSpectrum(eeg).features, '1e-4');
  for (const [floor, suffix] of [
    [1, ''],
    [1e-8, '_floor1e-8'],
  ] as const) {
    const outputs = await run({ features: logSpectrum(eeg, floor).features, support: reference('support') });
    compare('signal', `nodes_last${suffix}`, outputs['nodes_last'], '5e-4');
    compare('signal', `nodes_mean${suffix}`, outputs['nodes_mean'], '5e-4');
  }
  const { data } = reference('positions_example');
  const positions = Array.from({ length: 19 }, (_, i) => [...data.subarray(3 * i, 3 * i + 3)] as unknown as Position);
  compare('positions', 'support_from_positions', support(positions), '');
  const placed = await run({ features: logSpectrum(eeg).features, support: support(positions) });
  compare('signal and positions', 'nodes_last_positions', placed['nodes_last'], '5e-4');
}
