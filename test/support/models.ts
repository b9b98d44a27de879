import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of published weights: `EEG_MODELS`, else `../shared/models` beside the repository. */
export const modelsFolder =
  process.env['EEG_MODELS'] ?? fileURLToPath(new URL('../../../shared/models', import.meta.url));

/**
 * Whether the named model's folder is missing, and if so says where it was looked for. Tests that need it begin with
 * `describe.skipIf(modelMissing(name))`.
 */
export function modelMissing(model: string): boolean {
  const missing = !existsSync(join(modelsFolder, model));
  if (missing)
    process.stderr.write(`\nSKIPPED: the model ${model} is not in ${modelsFolder} (set EEG_MODELS to its folder)\n`);
  return missing;
}
