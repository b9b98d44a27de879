import { minimumDistance } from './parts/minimum-distance.ts';
import { atLeastSeconds, atMostStack, firstOf, needsFrequencies } from './reasons.ts';

/** Covariances of copies filtered around each stimulation frequency, nearest Riemannian class mean. */
export const ssvepMdm = minimumDistance(
  {
    id: 'ssvep-mdm',
    version: '1',
    title: 'Narrow-band covariances stacked, minimum distance to mean',
    source: 'Kalunga et al. 2016, Neurocomputing 191',
    family: 'SSVEP tangent',
    publishedDisadvantage: 3,
    kinds: ['motor', 'erp', 'sleep', 'other'],
    unreadable: firstOf(needsFrequencies, atMostStack(64), atLeastSeconds(1, 'bands of 1 Hz')),
  },
  ({ frequenciesHz = [] }) => `ssvep/${frequenciesHz.join(',')}`,
  false,
);
