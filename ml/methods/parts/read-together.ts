import type { Head, Method } from '../types.ts';

/** Fewer trials than these of a recording say less of it than the trials of the fit do. */
const fewest = 10;

/**
 * Two ways to read the same trials: each by itself (`alone`), or the trials of a recording with their neighbours
 * (`together`), as `align: "batch"` asks. Both are fitted; which of them decides is the features' to say. The rest of
 * the method is that of `alone`, which decides few trials too, and all where no sessions were named: then none was held
 * out to see what `together` is worth.
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
