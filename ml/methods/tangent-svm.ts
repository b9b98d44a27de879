import { mostTrials } from '../classify/svm.ts';
import { svm } from './parts/classifiers.ts';
import { pipeline } from './parts/pipeline.ts';
import { tangentSpace } from './parts/tangent-space.ts';
import { atLeastChannels, atLeastRate, atLeastSeconds, atMostTrials, firstOf } from './reasons.ts';

/** Covariances of 8–32 Hz in the Riemannian tangent space, linear support vector machine with C = 1: the kernel form. */
export const tangentSvm = pipeline(
  {
    id: 'tangent-svm',
    version: '2',
    title: 'Riemannian tangent space, support vector machine',
    source: 'Barachant et al. 2013, Neurocomputing 112',
    family: 'tangent 8–32 Hz',
    publishedDisadvantage: 1,
    kinds: ['motor', 'other'],
    unreadable: firstOf(
      atLeastChannels(2, 'covariances between channels'),
      atLeastSeconds(0.4, 'three periods of 8 Hz'),
      atLeastRate(16),
      atMostTrials(mostTrials),
    ),
  },
  tangentSpace('cov/8-32'),
  svm(1),
);
