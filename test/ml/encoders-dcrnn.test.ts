import { beforeAll, describe, expect, test } from 'vitest';
import { headPositionOf, sites19 } from '../../ml/channels/index.ts';
import type { Position } from '../../ml/channels/index.ts';
import { unroll } from '../../ml/encoders/dcrnn-tusz/cells.ts';
import { dcrnnGraphs, logSpectrum, onUnitSphere, stepCounts, support } from '../../ml/encoders/dcrnn-tusz/index.ts';
import type { GraphTensor } from '../../ml/encoders/types.ts';
import { encodeGraph, graph } from '../../ml/onnx/index.ts';
import { createRandom } from '../../ml/random.ts';
import type { Weights } from '../../ml/weights/types.ts';
import { largestDifference, modelMissing, publishedWeights, referencesOf } from '../support/published-models.ts';
import { runnerOf } from '../support/run-graph.ts';
import { plainDcrnn, randomDcrnnWeights } from './plain-dcrnn.ts';

const random = createRandom(5);
const noise = (...dims: number[]): GraphTensor => ({
  dims,
  data: Float32Array.from({ length: dims.reduce((a, b) => a * b, 1) }, () => 2 * random() - 1),
});
const rows = (data: Float32Array, count: number, width: number): number[][] =>
  Array.from({ length: count }, (_, i) => [...data.subarray(i * width, (i + 1) * width)]);
const template = (names: readonly string[]): Position[] => onUnitSphere(names.map((name) => headPositionOf(name)!));

describe('DCRNN with random weights', () => {
  const weights = randomDcrnnWeights(2);

  test.each(stepCounts)('agrees with float64 over %i steps, whatever else is in the batch', async (steps) => {
    const sites = 5;
    const near = support(template(sites19.slice(0, sites)));
    const features = noise(3, sites, steps, 100);
    const { nodes_last: last, nodes_mean: mean } = await (
      await runnerOf(dcrnnGraphs[`nodes${steps}`](weights))
    )({ features, support: near });
    expect([last!.dims, mean!.dims]).toEqual([
      [3, sites, 64],
      [3, sites, 64],
    ]);
    const window = 2;
    const bySite = rows(features.data.subarray(window * sites * steps * 100), sites, steps * 100);
    const inTime = Array.from({ length: steps }, (_, t) => bySite.map((site) => site.slice(t * 100, (t + 1) * 100)));
    const states = plainDcrnn(weights, inTime, rows(near.data, sites, sites))[2]!;
    const own = (of: GraphTensor): Float32Array => of.data.subarray(window * sites * 64, (window + 1) * sites * 64);
    expect(largestDifference(own(last!), states.at(-1)!.flat())).toBeLessThan(1e-5);
    const averaged = states[0]!.flat().map((_, i) => states.reduce((sum, s) => sum + s.flat()[i]! / steps, 0));
    expect(largestDifference(own(mean!), averaged)).toBeLessThan(1e-5);
  });

  test('weights that lack a tensor are named', () => {
    expect(() => dcrnnGraphs.nodes4(new Map())).toThrow(
      'The weights hold no tensor encoder.encoding_cells.0.dconv_gate.weight.',
    );
  });
});

describe('the input of DCRNN from trials', () => {
  const of = (trials: number, channels: number, samples: number, rateHz: number) => ({
    data: noise(trials, channels, samples).data.map((value) => 50 * value),
    trials,
    channels,
    samples,
    rateHz,
  });

  test.each([
    [256, 256, 1, 1],
    [256, 700, 1, 2],
    [160, 560, 1, 3],
    [200, 800, 1, 4],
    [256, 256 * 9, 2, 4],
  ])('at %i Hz, %i samples are %i windows of %i steps', (rateHz, samples, windows, steps) => {
    const read = logSpectrum(of(2, 3, samples, rateHz));
    expect(read).toMatchObject({ windows, steps, features: { dims: [2 * windows, 3, steps, 100] } });
    expect(read.features.data.every(Number.isFinite)).toBe(true);
  });

  test('a trial of less than a second is refused', () => {
    expect(() => logSpectrum(of(1, 2, 255, 256))).toThrow(
      'A trial of 255 samples at 256 Hz is too short for DCRNN, which reads whole seconds.',
    );
  });

  test('an offset, a signal common to all channels, and other trials of the batch have no effect', () => {
    const own = of(3, 4, 800, 200);
    const moved = { ...own, data: own.data.map((value, i) => value + 300 + 40 * Math.sin(i % 800)) };
    const read = logSpectrum(own).features.data;
    expect(largestDifference(read, logSpectrum(moved).features.data)).toBeLessThan(1e-3);
    const alone = { ...own, trials: 1, data: own.data.subarray(4 * 800, 2 * 4 * 800) };
    const size = read.length / 3;
    expect(largestDifference(logSpectrum(alone).features.data, read.subarray(size, 2 * size))).toBe(0);
  });

  test('a sine of one channel lies in its own bin', () => {
    const sine = Float32Array.from({ length: 800 }, (_, i) => 30 * Math.sin((2 * Math.PI * 12 * i) / 200));
    const { data } = logSpectrum({ data: sine, trials: 1, channels: 1, samples: 800, rateHz: 200 }).features;
    const spectrum = [...data.subarray(0, 100)];
    expect(spectrum.indexOf(Math.max(...spectrum))).toBe(12);
    expect(spectrum[12]).toBeCloseTo((Math.log(3000) - 3.808460947197539) / 1.5516092967049024, 5);
  });

  test('without neighbours the support is −I', () => {
    expect([...support([[0, 0, 1]]).data]).toEqual([-1]);
    const far: Position[] = [
      [0, 0, 1],
      [0, 0, -1],
    ];
    expect([...support(far).data].map((value) => value + 0)).toEqual([-1, 0, 0, -1]);
  });
});

const name = 'dcrnn-tusz';
describe.skipIf(modelMissing(name))('DCRNN as published', () => {
  let weights: Weights;
  let reference: (name: string) => GraphTensor;
  let run: Awaited<ReturnType<typeof runnerOf>>;
  beforeAll(async () => {
    weights = publishedWeights(name);
    reference = referencesOf(name);
    run = await runnerOf(dcrnnGraphs.nodes4(weights));
  });
  const off = (found: GraphTensor | undefined, expected: string): number =>
    largestDifference(found!.data, reference(expected).data);
  const eeg = () => ({ data: reference('eeg').data, trials: 3, channels: 19, samples: 800, rateHz: 200 });

  test('from features: every hidden state, the last ones and their means', async () => {
    const inputs = { features: reference('logspec'), support: reference('support') };
    const inner = graph('states', { features: ['n', 'sites', 4, 100], support: ['sites', 'sites'] }, (g, values) =>
      Object.fromEntries(
        unroll(g, weights, values.features, values.support, 4).flatMap((states, cell) =>
          states.map((state, step) => [`${cell} ${step}`, state]),
        ),
      ),
    );
    const states = await (await runnerOf(encodeGraph(inner)))(inputs);
    const { data } = reference('hidden');
    const size = 19 * 64;
    for (let cell = 0; cell < 3; cell++)
      for (let window = 0; window < 3; window++)
        for (let step = 0; step < 4; step++) {
          const at = ((cell * 3 + window) * 4 + step) * size;
          const found = states[`${cell} ${step}`]!.data.subarray(window * size, (window + 1) * size);
          expect(largestDifference(found, data.subarray(at, at + size)), `${cell} ${window} ${step}`).toBeLessThan(
            1e-5,
          );
        }
    const outputs = await run(inputs);
    expect(off(outputs['nodes_last'], 'nodes_last')).toBeLessThan(1e-6);
    expect(off(outputs['nodes_mean'], 'nodes_mean')).toBeLessThan(1e-6);
  });

  test.each([
    [1, ''],
    [1e-8, '_floor1e-8'],
  ])('from signals, with the floor at %f microvolts', async (floor, suffix) => {
    const { features } = logSpectrum(eeg(), floor);
    if (floor === 1) expect(off(features, 'logspec')).toBeLessThan(1e-4);
    const outputs = await run({ features, support: reference('support') });
    expect(off(outputs['nodes_last'], `nodes_last${suffix}`)).toBeLessThan(1e-5);
    expect(off(outputs['nodes_mean'], `nodes_mean${suffix}`)).toBeLessThan(1e-5);
  });

  test('the graph from positions, given or those of the template', async () => {
    const given = rows(reference('positions_example').data, 19, 3) as unknown as Position[];
    const made = support(given);
    expect(off(made, 'support_from_positions')).toBeLessThan(1e-6);
    expect(off(support(template(sites19)), 'support_from_positions')).toBeLessThan(1e-6);
    const outputs = await run({ features: logSpectrum(eeg()).features, support: made });
    expect(off(outputs['nodes_last'], 'nodes_last_positions')).toBeLessThan(1e-5);
  });

  test('the order of the sites goes through to the nodes', async () => {
    const [features, near] = [reference('logspec'), reference('support')];
    const order = sites19.map((_, i) => (7 * i + 3) % 19);
    const turned = Float32Array.from({ length: features.data.length }, (_, k) => {
      const [window, site] = [Math.floor(k / 7600), Math.floor(k / 400) % 19];
      return features.data[(window * 19 + order[site]!) * 400 + (k % 400)]!;
    });
    const turnedSupport = Float32Array.from(
      { length: 361 },
      (_, k) => near.data[order[Math.floor(k / 19)]! * 19 + order[k % 19]!]!,
    );
    const { nodes_last: last } = await run({
      features: { dims: features.dims, data: turned },
      support: { dims: [19, 19], data: turnedSupport },
    });
    const nodes = reference('nodes_last');
    const expected = Float32Array.from({ length: 3 * 19 * 64 }, (_, k) => {
      const [window, site] = [Math.floor(k / 1216), Math.floor(k / 64) % 19];
      return nodes.data[(window * 19 + order[site]!) * 64 + (k % 64)]!;
    });
    expect(largestDifference(last!.data, expected)).toBeLessThan(1e-6);
  });
});
