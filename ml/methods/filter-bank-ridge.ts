import { ridge } from './parts/classifiers.ts';
import { pipeline } from './parts/pipeline.ts';
import { tangentSpace } from './parts/tangent-space.ts';
import { atLeastChannels, atLeastRate, atLeastSeconds, firstOf } from './reasons.ts';

/** Covariances of a bank of 4 Hz bands from 4 to 40 Hz in their tangent spaces, ridge with its penalty by leave-one-out. */
export const filterBankRidge = pipeline(
  {
    id: 'filter-bank-ridge',
    version: '2',
    title: 'Filter-bank tangent space, ridge discriminant',
    source: 'Ang et al. 2008, IJCNN; Barachant et al. 2012, IEEE Trans. Biomed. Eng. 59(4)',
    family: 'filter bank',
    publishedDisadvantage: 4,
    kinds: ['motor', 'sleep', 'other'],
    unreadable: firstOf(
      atLeastChannels(2, 'covariances between channels'),
      atLeastSeconds(0.5, 'two periods of 4 Hz'),
      atLeastRate(20),
    ),
  },
  tangentSpace('fbcov'),
  ridge,
);
