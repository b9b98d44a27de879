import { minimumDistance } from './parts/minimum-distance.ts';
import { atLeastChannels, atLeastRate, atLeastSeconds, firstOf } from './reasons.ts';

/** Covariances of 8–32 Hz, nearest Riemannian class mean. */
export const mdm = minimumDistance(
  {
    id: 'mdm',
    version: '2',
    title: 'Minimum distance to Riemannian mean (MDM)',
    source: 'Barachant et al. 2012, IEEE Trans. Biomed. Eng. 59(4)',
    family: 'tangent 8–32 Hz',
    publishedDisadvantage: 10,
    kinds: ['motor', 'other'],
    unreadable: firstOf(
      atLeastChannels(2, 'covariances between channels'),
      atLeastSeconds(0.4, 'three periods of 8 Hz'),
      atLeastRate(16),
    ),
  },
  () => 'cov/8-32',
);
