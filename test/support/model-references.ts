import { readFileSync } from 'node:fs';
import path from 'node:path';
import { modelOf } from '../../ml/encoders/catalogue/index.ts';
import type { GraphTensor } from '../../ml/encoders/types.ts';
import { readWeights } from '../../ml/weights/index.ts';
import type { Weights } from '../../ml/weights/index.ts';
import { modelsFolder } from './models.ts';

/** Reads arrays of the model's numeric reference. */
export function referencesOf(model: string): (name: string) => GraphTensor {
  const folder = path.join(modelsFolder, model);
  const { arrays } = JSON.parse(readFileSync(path.join(folder, 'reference.json'), 'utf8')) as {
    arrays: Record<string, { file: string; shape: number[] }>;
  };
  return (name) => {
    const { file, shape } = arrays[name]!;
    return { dims: shape, data: new Float32Array(new Uint8Array(readFileSync(path.join(folder, file))).buffer) };
  };
}

/** The weights of the model's published file. */
export function publishedWeights(model: string): Weights {
  const { folder, path: file, member, under } = modelOf(model).file;
  return readWeights(readFileSync(path.join(modelsFolder, folder, file)), {
    file,
    member: member ?? undefined,
    under: under ?? undefined,
  });
}

/** Largest absolute difference of two lists of one length. */
export function largestDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  if (a.length !== b.length) return Infinity;
  let largest = 0;
  for (let i = 0; i < a.length; i++) {
    const off = Math.abs(a[i]! - b[i]!);
    largest = off <= largest ? largest : off;
  }
  return largest;
}
