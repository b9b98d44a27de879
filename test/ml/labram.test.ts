import { readFileSync } from 'node:fs';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { labramGraph } from '../../ml/encoders/labram/index.ts';
import { rowOf } from '../../ml/encoders/labram/table.ts';
import { seeded, seededWeights } from './labram-weights.ts';

interface Case {
  readonly depth: number;
  readonly channels: readonly string[];
  readonly patches: number;
  readonly trials: number;
  /** `sites` holds every so many of the numbers. */
  readonly every: number;
  readonly sites: readonly number[];
  readonly pooled: readonly number[];
}

/** Made by golden/make_labram.py with braindecode's Labram, whose weights are as random as these. */
const { cases } = JSON.parse(readFileSync(new URL('golden/labram.json', import.meta.url), 'utf8')) as {
  cases: readonly Case[];
};

const sessions = new Map<number, Promise<InferenceSession>>();
function sessionOf(depth: number): Promise<InferenceSession> {
  const made =
    sessions.get(depth) ?? InferenceSession.create(labramGraph(seededWeights(depth), depth), { intraOpNumThreads: 1 });
  sessions.set(depth, made);
  return made;
}

async function outputs({ depth, channels, patches, trials }: Case, order = channels.map((_, i) => i)) {
  const session = await sessionOf(depth);
  const size = patches * 200;
  const numbers = seeded(`x ${channels.length} x ${patches}`, trials * channels.length * size);
  const x = new Float32Array(numbers.length);
  for (let t = 0; t < trials; t += 1)
    order.forEach((from, to) => {
      const at = (t * channels.length + from) * size;
      x.set(numbers.subarray(at, at + size), (t * channels.length + to) * size);
    });
  const positions = Float32Array.from(order, (channel) => rowOf(channels[channel])!);
  const { sites, pooled } = await session.run({
    x: new Tensor('float32', x, [trials, channels.length, patches, 200]),
    positions: new Tensor('float32', positions, [channels.length]),
  });
  return { sites, pooled, sitesData: sites.data as Float32Array, pooledData: pooled.data as Float32Array };
}

const farthest = (found: ArrayLike<number>, expected: readonly number[], every = 1): number =>
  expected.reduce((most, value, i) => Math.max(most, Math.abs(value - found[i * every])), 0);

describe('the graph of LaBraM, against braindecode with the same random weights', () => {
  it.each(cases)('$depth layers, $trials trials of $patches s and channels $channels agree to 1e-4', async (golden) => {
    const { sites, pooled, sitesData, pooledData } = await outputs(golden);
    expect(sites.dims).toEqual([golden.trials, golden.channels.length, 200]);
    expect(pooled.dims).toEqual([golden.trials, 200]);
    expect(golden.sites.length).toBe(Math.ceil(sitesData.length / golden.every));
    expect(golden.pooled.length).toBe(pooledData.length);
    expect(farthest(sitesData, golden.sites, golden.every)).toBeLessThan(1e-4);
    expect(farthest(pooledData, golden.pooled)).toBeLessThan(1e-4);
  });

  it('an order of the channels changes nothing, what a channel is called does', async () => {
    const [golden] = cases;
    const turned = await outputs(golden, golden.channels.map((_, i) => i).reverse());
    expect(farthest(turned.pooledData, golden.pooled)).toBeLessThan(1e-4);
    const renamed = await outputs({ ...golden, channels: ['Oz', ...golden.channels.slice(1)] });
    expect(farthest(renamed.pooledData, golden.pooled)).toBeGreaterThan(1e-3);
  });

  it('names the tensor that is missing or of another size', () => {
    const weights = seededWeights(1);
    expect(() => labramGraph(weights)).toThrow('hold no tensor student.blocks.1.norm1.weight');
    weights.set('student.pos_embed', { dims: [1, 128, 200], data: new Float32Array(128 * 200) });
    expect(() => labramGraph(weights, 1)).toThrow('student.pos_embed is 1 × 128 × 200, not 1 × 129 × 200');
  });
});
