import { tunedLogistic } from './parts/classifiers.ts';
import { pipeline } from './parts/pipeline.ts';
import { tangentSpace } from './parts/tangent-space.ts';
import { atLeastChannels, atLeastRate, atLeastSeconds, firstOf } from './reasons.ts';

/** Covariances of 8–32 Hz in the Riemannian tangent space, logistic regression with C chosen inside the training trials. */
export const tangentTuned = pipeline(
  {
    id: 'tangent-tuned',
    version: '2',
    title: 'Riemannian tangent space, logistic regression, C tuned',
    source: 'Barachant et al. 2012, IEEE Trans. Biomed. Eng. 59(4)',
    family: 'tangent 8–32 Hz',
    publishedDisadvantage: 0,
    kinds: ['motor', 'sleep', 'other'],
    unreadable: firstOf(
      atLeastChannels(2, 'covariances between channels'),
      atLeastSeconds(0.4, 'three periods of 8 Hz'),
      atLeastRate(16),
    ),
  },
  tangentSpace('cov/8-32'),
  tunedLogistic,
);
