import { crc32 } from 'node:zlib';
import type { Tensor } from '../../ml/weights/types.ts';

/** Numbers in [-1, 1) that golden/make_labram.py makes as well: MurmurHash3's finaliser of a name and an index. */
export function seeded(name: string, count: number): Float64Array {
  const seed = crc32(name);
  const numbers = new Float64Array(count);
  for (let index = 0; index < count; index += 1) {
    let h = (seed + Math.imul(index, 0x9e3779b9)) >>> 0;
    h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
    h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
    numbers[index] = ((h ^ (h >>> 16)) >>> 0) / 2 ** 31 - 1;
  }
  return numbers;
}

const layerShapes = (i: number): [string, number[]][] =>
  Object.entries({
    gamma_1: [200],
    gamma_2: [200],
    'norm1.weight': [200],
    'norm1.bias': [200],
    'norm2.weight': [200],
    'norm2.bias': [200],
    'attn.qkv.weight': [600, 200],
    'attn.q_norm.weight': [20],
    'attn.q_norm.bias': [20],
    'attn.k_norm.weight': [20],
    'attn.k_norm.bias': [20],
    'attn.proj.weight': [200, 200],
    'attn.proj.bias': [200],
    'mlp.fc1.weight': [800, 200],
    'mlp.fc1.bias': [800],
    'mlp.fc2.weight': [200, 800],
    'mlp.fc2.bias': [200],
  }).map(([name, dims]) => [`blocks.${i}.${name}`, dims]);

const shapes = (depth: number): [string, number[]][] => [
  ...[1, 2, 3].flatMap((i): [string, number[]][] => [
    [`patch_embed.conv${i}.weight`, [8, i === 1 ? 1 : 8, 1, i === 1 ? 15 : 3]],
    ...[`conv${i}.bias`, `norm${i}.weight`, `norm${i}.bias`].map((name): [string, number[]] => [
      `patch_embed.${name}`,
      [8],
    ]),
  ]),
  ['cls_token', [1, 1, 200]],
  ['pos_embed', [1, 129, 200]],
  ['time_embed', [1, 16, 200]],
  ...Array.from({ length: depth }, (_, i) => layerShapes(i)).flat(),
  ['norm.weight', [200]],
  ['norm.bias', [200]],
];

/** Seeded random weights of LaBraM-base with `depth` layers, by their published names. */
export function seededWeights(depth: number): Map<string, Tensor> {
  return new Map(
    shapes(depth).map(([name, dims]) => {
      const [middle, spread] = name.includes('gamma')
        ? [0.5, 0.25]
        : name.includes('norm') && name.endsWith('weight')
          ? [1, 0.25]
          : name.endsWith('weight')
            ? [0, Math.sqrt(3 / dims.slice(1).reduce((product, length) => product * length, 1))]
            : [0, 0.25];
      const numbers = seeded(
        `student.${name}`,
        dims.reduce((product, length) => product * length, 1),
      );
      return [`student.${name}`, { dims, data: new Float32Array(numbers.map((value) => middle + spread * value)) }];
    }),
  );
}
