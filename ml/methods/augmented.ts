import { mostTrials } from '../classify/svm.ts';
import { logistic, svm, tunedLogistic } from './parts/classifiers.ts';
import { pipeline } from './parts/pipeline.ts';
import { tangentSpace } from './parts/tangent-space.ts';
import { atMostTrials } from './reasons.ts';
import type { Method } from './types.ts';

/**
 * Covariances of the 8–32 Hz signal stacked with delayed copies of itself, tangent space, logistic regression with C
 * chosen inside the training trials.
 */
export const augmentedTangentTuned = pipeline(
  {
    id: 'augmented-tangent-tuned',
    version: '2',
    title: 'Augmented covariances, tangent space, logistic regression, C tuned',
    source: 'Carrara & Papadopoulo 2024, IEEE Trans. Biomed. Eng. 71(9)',
    family: 'augmented',
    kinds: ['motor', 'other'],
  },
  tangentSpace('acm/8-32', false),
  tunedLogistic,
);

/** Covariances of the 8–32 Hz signal stacked with delayed copies of itself, in the tangent space. */
export const augmentedMethods: readonly Method[] = [
  pipeline(
    {
      id: 'augmented-tangent-logistic',
      version: '2',
      title: 'Augmented covariances, tangent space, logistic regression',
      source: 'Carrara & Papadopoulo 2024, IEEE Trans. Biomed. Eng. 71(9)',
      family: 'augmented',
      kinds: ['motor', 'other'],
    },
    tangentSpace('acm/8-32', false),
    logistic(1),
  ),
  augmentedTangentTuned,
  pipeline(
    {
      id: 'augmented-tangent-svm',
      version: '2',
      title: 'Augmented covariances, tangent space, support vector machine',
      source: 'Carrara & Papadopoulo 2024, IEEE Trans. Biomed. Eng. 71(9)',
      family: 'augmented',
      kinds: ['motor', 'other'],
      unreadable: atMostTrials(mostTrials),
    },
    tangentSpace('acm/8-32', false),
    svm(1),
  ),
];
