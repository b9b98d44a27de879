import { movementCard, usedSites } from '../../ml/encoders/movement/index.ts';
import { extractFeatures } from '../../ml/features/index.ts';
import { bankOf } from '../../ml/methods/movement/centres.ts';
import { sketchOf } from '../../ml/methods/movement/sketch.ts';
import { range } from '../../ml/rows.ts';
import type { Trials } from '../../ml/types.ts';
import { safetensorsOf } from './safetensors.ts';

const { sites, bands, sha256, people } = movementCard;
const all = sites.length;
const pairs = (all * (all - 1)) / 2;
const width = pairs + 2 * all;

/**
 * A file of sketches in which the training people of the card are these simulated ones, in their order. All have the
 * same electrodes; nothing is known of others.
 */
export function standInPeople(recordings: readonly Trials[]): Uint8Array {
  const set = `movement/${sha256}/bank`;
  const [first] = recordings;
  const at = columnsOf(usedSites({ channelNames: first!.channelNames }).sites);
  const sketches = new Float32Array(people.names.length * bands.length * width);
  const square = new Float64Array(bands.length * width).fill(1);
  for (const b of bands.keys()) for (const column of at) square[b * width + column] = 0;
  recordings.forEach((trials, p) => {
    const bank = bankOf(extractFeatures(trials, [set]), set);
    const [whole, part] = [range(trials.trials), range(trials.trials >> 1)].map((rows) =>
      sketchOf(bank, rows, [...range(bank.p)]),
    );
    whole!.forEach((value, i) => {
      const to = Math.floor(i / at.length) * width + at[i % at.length]!;
      sketches[p * bands.length * width + to] = value;
      square[to]! += (part![i]! - value) ** 2 / recordings.length;
    });
  });
  const none = (rows: number): Float32Array => Float32Array.from({ length: 2 * rows }, (_, i) => i % 2);
  return safetensorsOf({
    people: { dims: [people.names.length, bands.length, width], data: sketches },
    'people.scale': { dims: [people.names.length, 2], data: none(people.names.length) },
    within: { dims: [1, bands.length, width], data: new Float32Array(bands.length * width) },
    'within.scale': { dims: [1, 2], data: none(1) },
    rest: { dims: [bands.length, width], data: Float32Array.from(square, (value) => value + 1e-3) },
  });
}

/** Columns of a stored sketch that a sketch of some sites has. */
const columnsOf = (some: readonly number[]): number[] => [
  ...some.flatMap((a, i) => some.slice(i + 1).map((b) => (a * (2 * all - a - 1)) / 2 + b - a - 1)),
  ...some.map((site) => pairs + site),
];
