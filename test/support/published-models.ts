import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { modelOf } from '../../ml/encoders/catalogue/index.ts';
import type { GraphTensor } from '../../ml/encoders/types.ts';
import { readWeights } from '../../ml/weights/index.ts';
import type { Weights } from '../../ml/weights/index.ts';

/** Folder of published models with their references: `EEG_MODELS`, else `../shared/models` beside the repository. */
export const modelsFolder =
  process.env['EEG_MODELS'] ?? fileURLToPath(new URL('../../../shared/models', import.meta.url));

/**
 * True if the named model's folder is missing; then prints where it was searched. Tests that need it begin with
 * `describe.skipIf(modelMissing(name))`.
 */
export function modelMissing(model: string): boolean {
  const missing = !existsSync(path.join(modelsFolder, model, 'reference.json'));
  if (missing)
    process.stderr.write(`\nSKIPPED: the model ${model} is not in ${modelsFolder} (set EEG_MODELS to its folder)\n`);
  return missing;
}

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
