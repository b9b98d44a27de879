import { average } from './parts/average.ts';
import { everywhere } from './parts/reference-method.ts';
import { referencePrior, referencePriorMeans, referencePriorWide } from './reference-prior.ts';
import { referenceRidge, referenceRidgeMeans, referenceRidgeWide } from './reference-ridge.ts';
import { tangentTuned, tangentWideLogistic } from './tangent.ts';
import { windowedMeansLda } from './erp.ts';
import type { Method } from './types.ts';

const source = 'Stone 1961, Ann. Math. Stat. 32 (linear opinion pools)';

/** Average of a method from other people and one from own trials, if both can be read. */
const withOwn = (id: string, title: string, prior: Method, own: Method): Method =>
  average(
    {
      id,
      version: '1',
      title,
      source,
      family: prior.family,
      kinds: everywhere,
      needsOthers: true,
      unreadable: (shape) => prior.unreadable(shape),
    },
    [prior, own],
  );

/** Methods that start from recordings of other people. */
export const referenceMethods: readonly Method[] = [
  referencePrior,
  referenceRidge,
  withOwn('reference-average', 'Average of other people and own tangent space', referencePrior, tangentTuned),
  referencePriorWide,
  referenceRidgeWide,
  withOwn(
    'reference-average-wide',
    'Average of other people and own tangent space, 4–40 Hz',
    referencePriorWide,
    tangentWideLogistic,
  ),
  referencePriorMeans,
  referenceRidgeMeans,
  withOwn(
    'reference-average-means',
    'Average of other people and own mean amplitudes',
    referencePriorMeans,
    windowedMeansLda,
  ),
];
