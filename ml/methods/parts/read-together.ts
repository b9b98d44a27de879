import type { Head, Method } from '../types.ts';

/**
 * Two ways to read the same trials: each by itself (`alone`), or the trials of a recording with their neighbours
 * (`together`), as `align: "batch"` asks. Both are fitted; which of them decides is the features' to say. The rest of
 * the method is that of `alone`. `besides`: sets that a fit needs and no decision.
 */
export const readTogether = (alone: Method, together: Method, besides: Method['featureSets']): Method => ({
  ...alone,
  featureSets: (shape) => [...alone.featureSets(shape), ...together.featureSets(shape), ...besides(shape)],
  fit: (context) => ({ alone: alone.fit(context), together: together.fit(context) }),
  decide: (head, features, rows, workspace) =>
    features.aligned
      ? together.decide(head['together'] as Head, features, rows, workspace)
      : alone.decide(head['alone'] as Head, features, rows, workspace),
});
