import { tunedLogistic } from './parts/classifiers.ts';
import { pipeline } from './parts/pipeline.ts';
import { plain } from './parts/plain.ts';
import { atLeastSeconds } from './reasons.ts';

/** Sleep features per channel, standardised, logistic regression with C chosen inside the training trials. */
export const sleepLogistic = pipeline(
  {
    id: 'sleep-logistic',
    version: '1',
    title: 'Sleep features, logistic regression',
    source: 'Vallat & Walker 2021, eLife 10:e70092',
    family: 'sleep features',
    publishedDisadvantage: 3,
    kinds: ['sleep', 'other'],
    unreadable: atLeastSeconds(8, 'windows of 5 s'),
  },
  plain(['sleep'], { standardise: true }),
  tunedLogistic,
);
