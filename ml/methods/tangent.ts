import { decideLinear } from '../classify/linear.ts';
import type { LinearHead } from '../classify/linear.ts';
import { fitNearestMean } from '../classify/nearest-mean.ts';
import { mostTrials } from '../classify/svm.ts';
import { elasticNet, lda, logistic, ridge, svm, tunedLogistic } from './parts/classifiers.ts';
import { minimumDistance } from './parts/minimum-distance.ts';
import { pipeline } from './parts/pipeline.ts';
import { tangentSpace } from './parts/tangent-space.ts';
import type { Classifier } from './parts/types.ts';
import { atMostTrials } from './reasons.ts';
import type { Method } from './types.ts';

/** Covariances of 8–32 Hz in the Riemannian tangent space, logistic regression with C = 1. */
export const tangentLogistic = pipeline(
  {
    id: 'tangent-logistic',
    version: '2',
    title: 'Riemannian tangent space, logistic regression',
    source: 'Barachant et al. 2012, IEEE Trans. Biomed. Eng. 59(4)',
    family: 'tangent 8–32 Hz',
    kinds: ['motor', 'erp', 'sleep', 'other'],
  },
  tangentSpace('cov/8-32'),
  logistic(1),
);

/**
 * Covariances of 8–32 Hz in the Riemannian tangent space, logistic regression with C chosen inside the training trials.
 */
export const tangentTuned = pipeline(
  {
    id: 'tangent-tuned',
    version: '2',
    title: 'Riemannian tangent space, logistic regression, C tuned',
    source: 'Barachant et al. 2012, IEEE Trans. Biomed. Eng. 59(4)',
    family: 'tangent 8–32 Hz',
    kinds: ['motor', 'sleep', 'other'],
  },
  tangentSpace('cov/8-32'),
  tunedLogistic,
);

/** Covariances of 8–32 Hz in the Riemannian tangent space, ridge with its penalty by leave-one-out. */
export const tangentRidge = pipeline(
  {
    id: 'tangent-ridge',
    version: '2',
    title: 'Riemannian tangent space, ridge discriminant',
    source: 'Barachant et al. 2012, IEEE Trans. Biomed. Eng. 59(4); Golub et al. 1979, Technometrics 21(2)',
    family: 'tangent 8–32 Hz',
    kinds: ['motor', 'sleep', 'other'],
  },
  tangentSpace('cov/8-32'),
  ridge,
);

/**
 * Geodesic filtering and minimum distance to mean (Barachant 2010): tangent vectors are projected onto the discriminant
 * directions of a shrinkage LDA, and the nearest class mean wins. With two classes the filtered matrices lie on one
 * geodesic, so this is the Riemannian distance itself.
 */
const geodesicFilter: Classifier = {
  fit(vectors, labels, classes, workspace) {
    const discriminant = lda('auto').fit(vectors, labels, classes, workspace) as LinearHead;
    return fitNearestMean(discriminant, vectors, labels, classes);
  },
  decide: (head, { data }) => decideLinear(head as LinearHead, data),
};

/** Covariances of 8–32 Hz, geodesic filtering, minimum distance to mean. */
export const fgmdm = pipeline(
  {
    id: 'fgmdm',
    version: '2',
    title: 'Geodesic filtering, minimum distance to mean (FgMDM)',
    source: 'Barachant et al. 2010, LVA/ICA, LNCS 6365',
    family: 'tangent 8–32 Hz',
    kinds: ['motor', 'other'],
  },
  tangentSpace('cov/8-32'),
  geodesicFilter,
);

/**
 * Covariances of all channels, read at their Riemannian mean (tangent space) or by their distance to the class means.
 */
export const tangentMethods: readonly Method[] = [
  tangentLogistic,
  tangentTuned,
  tangentRidge,
  pipeline(
    {
      id: 'tangent-elastic-net',
      version: '2',
      title: 'Riemannian tangent space, elastic net',
      source: 'Corsi et al. 2022, J. Neural Eng. 19; Zou & Hastie 2005, J. R. Stat. Soc. B 67(2)',
      family: 'tangent 8–32 Hz',
      kinds: ['motor', 'other'],
    },
    tangentSpace('cov/8-32'),
    elasticNet(1, 0.7),
  ),
  pipeline(
    {
      id: 'tangent-svm',
      version: '2',
      title: 'Riemannian tangent space, support vector machine',
      source: 'Barachant et al. 2013, Neurocomputing 112',
      family: 'tangent 8–32 Hz',
      kinds: ['motor', 'other'],
      unreadable: atMostTrials(mostTrials),
    },
    tangentSpace('cov/8-32'),
    svm(1),
  ),
  fgmdm,
  minimumDistance(
    {
      id: 'mdm',
      version: '2',
      title: 'Minimum distance to Riemannian mean (MDM)',
      source: 'Barachant et al. 2012, IEEE Trans. Biomed. Eng. 59(4)',
      family: 'tangent 8–32 Hz',
      kinds: ['motor', 'other'],
    },
    () => 'cov/8-32',
  ),
];

/** Covariances of 4–40 Hz in the Riemannian tangent space, logistic regression. */
export const tangentWideLogistic = pipeline(
  {
    id: 'tangent-wide-logistic',
    version: '2',
    title: 'Riemannian tangent space of 4–40 Hz, logistic regression',
    source: 'Barachant et al. 2012, IEEE Trans. Biomed. Eng. 59(4)',
    family: 'tangent 4–40 Hz',
    kinds: ['motor', 'sleep', 'other'],
  },
  tangentSpace('cov/4-40'),
  logistic(1),
);
