import { readFileSync } from 'node:fs';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { labramGraph } from '../../ml/encoders/labram/index.ts';
import { rowOf } from '../../ml/encoders/labram/table.ts';
import { seeded, seededWeights } from './labram-weights.ts';

export interface GoldenCase {
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
export const { cases } = JSON.parse(readFileSync(new URL('golden/labram.json', import.meta.url), 'utf8')) as {
  cases: readonly GoldenCase[];
};

const sessions = new Map<number, Promise<InferenceSession>>();
function sessionOf(depth: number): Promise<InferenceSession> {
  const made =
    sessions.get(depth) ?? InferenceSession.create(labramGraph(seededWeights(depth), depth), { intraOpNumThreads: 1 });
  sessions.set(depth, made);
  return made;
}

/** What the graph gives of a case, with its channels in an order. */
export async function outputs({ depth, channels, patches, trials }: GoldenCase, order = channels.map((_, i) => i)) {
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

/** Largest difference from expected numbers, of which every so many were kept. */
export const farthest = (found: ArrayLike<number>, expected: readonly number[], every = 1): number =>
  expected.reduce((most, value, i) => Math.max(most, Math.abs(value - found[i * every])), 0);
