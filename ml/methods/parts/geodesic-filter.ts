import type { LinearHead } from '../../classify/linear.ts';
import { fitNearestMean } from '../../classify/nearest-mean.ts';
import { decideLinear } from '../../classify/linear.ts';
import { lda } from './classifiers.ts';
import type { Classifier } from './types.ts';

/**
 * Geodesic filtering and minimum distance to mean (Barachant 2010): tangent vectors are projected onto the discriminant
 * directions of a shrinkage LDA, and the nearest class mean wins. With two classes the filtered matrices lie on one
 * geodesic, so this is the Riemannian distance itself.
 */
export const geodesicFilter: Classifier = {
  fit(vectors, labels, classes, workspace) {
    const discriminant = lda('auto').fit(vectors, labels, classes, workspace) as LinearHead;
    return fitNearestMean(discriminant, vectors, labels, classes);
  },
  decide: (head, { data }) => decideLinear(head as LinearHead, data),
};
