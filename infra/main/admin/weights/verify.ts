import { isPinned, type CataloguedModel } from '../../../../ml/encoders/catalogue/index.ts';
import { megabytes, type Progress } from '../../../embedded/progress.ts';
import type { WeightsStore } from '../../../weights/store.ts';
import { eachModel } from './each-model.ts';

/** Compares installed weights with the published hashes. Returns the number of models with damaged files. */
export const verifyWeights = (
  models: readonly CataloguedModel[],
  store: WeightsStore,
  progress: Progress,
): Promise<number> =>
  eachModel(models, progress, async (model) => {
    progress.status(`${model.id}  reading`);
    const weights = await store.check(model);
    if (weights) progress.line(`${model.id}: the published file, ${megabytes(weights.bytes)}: ${weights.at}`);
    else progress.line(`${model.id}: ${isPinned(model) ? 'not here.' : 'no hash of its weights is published.'}`);
  });
