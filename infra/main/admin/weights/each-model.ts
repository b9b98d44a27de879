import type { CataloguedModel } from '../../../../ml/encoders/catalogue/index.ts';
import { FileFault } from '../../../downloads/fault.ts';
import type { Progress } from '../../../embedded/progress.ts';

/** Runs an action for one model after another and reports each fault. Returns the number of models with a fault. */
export async function eachModel(
  models: readonly CataloguedModel[],
  progress: Progress,
  work: (model: CataloguedModel) => Promise<void>,
): Promise<number> {
  let faults = 0;
  for (const model of models)
    try {
      await work(model);
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
      faults++;
      progress.line(`${model.id}: ${error.message}`);
    }
  return faults;
}
