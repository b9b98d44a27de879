import type { ApiThreads } from '../../api/threads/client.ts';
import { predictTaskOf } from '../../api/predict/predict-task.ts';

/** Where `predict` runs: in its own task, or in the one that reads the body. */
export type Labelling = 'apart' | 'at once';

/** Threads that label predictions with `predict`, whatever the input. */
export const predictingBy = (
  threads: ApiThreads,
  predict: ApiThreads['predict'],
  where: Labelling = 'apart',
): ApiThreads => ({
  ...threads,
  predict,
  label: async (share, { body, resampler, modelRef, returnsBody = false }) => {
    const back = returnsBody ? { body: body.slice() } : {};
    const read = await threads.intake(share, { body, what: 'predict', resampler });
    if (where === 'apart' || !read.ok) return { read, labelled: null, ...back };
    return { read, labelled: { ok: true, answered: await predict(share, predictTaskOf(modelRef, read)) }, ...back };
  },
});
