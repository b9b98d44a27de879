import { isPinned, type CataloguedModel } from '../../../ml/encoders/catalogue/index.ts';
import { FileFault } from '../../downloads/fault.ts';
import { megabytes, type Progress } from '../../embedded/progress.ts';
import type { WeightsStore } from '../../weights/store.ts';

/** Holds weights that lie on this machine against the published hashes. Returns how many models' are damaged. */
export async function verifyWeights(
  models: readonly CataloguedModel[],
  store: WeightsStore,
  progress: Progress,
): Promise<number> {
  let damaged = 0;
  for (const model of models) {
    progress.status(`${model.id}  reading`);
    try {
      const held = await store.check(model);
      if (held) progress.line(`${model.id}: the published file, ${megabytes(held.bytes)}: ${held.at}`);
      else progress.line(`${model.id}: ${isPinned(model) ? 'not here.' : 'no hash of its weights is published.'}`);
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
      damaged++;
      progress.line(`${model.id}: ${error.message}`);
    }
  }
  return damaged;
}
