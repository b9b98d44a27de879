import { tunedLogistic } from './parts/classifiers.ts';
import { pipeline } from './parts/pipeline.ts';
import { tangentSpace } from './parts/tangent-space.ts';
import { atLeastChannels, atLeastRate, atLeastSeconds, atMostChannels, firstOf } from './reasons.ts';

/** Covariances of the 8–32 Hz signal stacked with delayed copies of itself, tangent space, logistic regression with C chosen inside the training trials. */
export const augmentedTangentTuned = pipeline(
  {
    id: 'augmented-tangent-tuned',
    version: '2',
    title: 'Augmented covariances, tangent space, logistic regression, C tuned',
    source: 'Carrara & Papadopoulo 2024, IEEE Trans. Biomed. Eng. 71(9)',
    family: 'augmented',
    publishedDisadvantage: 0,
    kinds: ['motor', 'other'],
    unreadable: firstOf(
      atLeastChannels(1, 'a signal'),
      atMostChannels(64, 'delayed copies at least double the matrices'),
      atLeastSeconds(0.8, 'delayed copies of 8 Hz'),
      atLeastRate(16),
    ),
  },
  tangentSpace('acm/8-32', false),
  tunedLogistic,
);
