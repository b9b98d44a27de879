import type { CataloguedModel } from '../../../../ml/encoders/catalogue/index.ts';
import { bar, megabytes, type Progress } from '../../../embedded/progress.ts';
import type { WeightsStore } from '../../../weights/store.ts';
import { eachModel } from './each-model.ts';

/** Downloads weights, one model after another, with progress. Returns the number of failures. */
export const pullWeights = (
  models: readonly CataloguedModel[],
  store: WeightsStore,
  progress: Progress,
): Promise<number> =>
  eachModel(models, progress, async (model) => {
    const { id, file } = model;
    const { at, bytes } = await store.obtain(model, {
      onSize: (size) => progress.status(`${id}  ${far(size, file.bytes)}`),
    });
    progress.line(
      `${id}: ${megabytes(bytes)}, the published file, ${file.address === null ? 'comes with the service' : store.inPlace ? 'read in place' : 'kept'}: ${at}`,
    );
  });

/** `█████░░░  0.3 MB of 0.7 MB` */
const far = (size: number, all: number | null): string =>
  all === null ? megabytes(size) : `${bar(size / all)}  ${megabytes(size)} of ${megabytes(all)}`;
