import type { Head, Method } from '../types.ts';

/** A recording with fewer trials describes itself worse than the trials of the fit describe it. */
const fewest = 10;

/**
 * Combines two methods for the same trials: each trial by itself (`alone`), or with the other trials of its recording
 * (`together`, for `align: "batch"`). Both are fitted; the features determine which one decides. The rest of the method
 * is that of `alone`. It also decides if there are few trials, and always if no sessions were named: then no session
 * was held out to measure `together`.
 */
export const readTogether = (alone: Method, together: Method): Method => ({
  ...alone,
  featureSets: (shape) => [...alone.featureSets(shape), ...together.featureSets(shape)],
  fit: (context) => ({
    alone: alone.fit(context),
    together: context.data.sessions ? together.fit(context) : null,
  }),
  decide: (head, features, rows, workspace) =>
    features.aligned && features.trials >= fewest && head['together']
      ? together.decide(head['together'] as Head, features, rows, workspace)
      : alone.decide(head['alone'] as Head, features, rows, workspace),
});
