import { logistic } from './parts/classifiers.ts';
import { pipeline } from './parts/pipeline.ts';
import { tangentSpace } from './parts/tangent-space.ts';
import { atLeastChannels, atLeastRate, atLeastSeconds, firstOf } from './reasons.ts';

/** Covariances of 4–40 Hz in the Riemannian tangent space, logistic regression. */
export const tangentWideLogistic = pipeline(
  {
    id: 'tangent-wide-logistic',
    version: '2',
    title: 'Riemannian tangent space of 4–40 Hz, logistic regression',
    source: 'Barachant et al. 2012, IEEE Trans. Biomed. Eng. 59(4)',
    family: 'tangent 4–40 Hz',
    publishedDisadvantage: 5,
    kinds: ['motor', 'sleep', 'other'],
    unreadable: firstOf(
      atLeastChannels(2, 'covariances between channels'),
      atLeastSeconds(0.4, 'a period and a half of 4 Hz'),
      atLeastRate(16),
    ),
  },
  tangentSpace('cov/4-40'),
  logistic(1),
);
