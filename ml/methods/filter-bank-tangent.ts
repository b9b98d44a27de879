import { logistic } from './parts/classifiers.ts';
import { pipeline } from './parts/pipeline.ts';
import { tangentSpace } from './parts/tangent-space.ts';
import { atLeastChannels, atLeastRate, atLeastSeconds, firstOf } from './reasons.ts';

/** Covariances of a bank of 4 Hz bands from 4 to 40 Hz, each in its own tangent space, one logistic regression over all. */
export const filterBankTangent = pipeline(
  {
    id: 'filter-bank-tangent',
    version: '2',
    title: 'Filter-bank tangent space, logistic regression',
    source: 'Ang et al. 2008 (filter bank); Barachant et al. 2012 (tangent space)',
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
  logistic(1),
);
