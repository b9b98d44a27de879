import type { ApiThreads } from '../../api/threads/client.ts';

/** Threads that read a prediction and label nothing of it: `predict` is what labels it, in a task of its own. */
export const predictingBy = (threads: ApiThreads, predict: ApiThreads['predict']): ApiThreads => ({
  ...threads,
  predict,
  label: async (share, { body, resampler }) => ({
    read: await threads.intake(share, { body, what: 'predict', resampler }),
    answered: null,
  }),
});
