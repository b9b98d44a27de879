import { ridge } from './parts/classifiers.ts';
import { pipeline } from './parts/pipeline.ts';
import { tangentSpace } from './parts/tangent-space.ts';
import { atLeastChannels, atLeastRate, atLeastSeconds, firstOf } from './reasons.ts';

/** Covariances of 8–32 Hz in the Riemannian tangent space, ridge with its penalty by leave-one-out. */
export const tangentRidge = pipeline(
  {
    id: 'tangent-ridge',
    version: '2',
    title: 'Riemannian tangent space, ridge discriminant',
    source: 'Barachant et al. 2012, IEEE Trans. Biomed. Eng. 59(4); Golub et al. 1979, Technometrics 21(2)',
    family: 'tangent 8–32 Hz',
    publishedDisadvantage: 1,
    kinds: ['motor', 'sleep', 'other'],
    unreadable: firstOf(
      atLeastChannels(2, 'covariances between channels'),
      atLeastSeconds(0.4, 'three periods of 8 Hz'),
      atLeastRate(16),
    ),
  },
  tangentSpace('cov/8-32'),
  ridge,
);
