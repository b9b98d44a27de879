import { boostedTrees } from './parts/boosted-trees.ts';
import { tunedLogistic } from './parts/classifiers.ts';
import { pipeline } from './parts/pipeline.ts';
import { plain } from './parts/plain.ts';
import { atLeastTrialsPerClass } from './reasons.ts';
import type { Method } from './types.ts';

/** Sleep features of each channel: relative band powers, ratios, Hjorth parameters, entropies, fractal dimensions. */
export const sleepMethods: readonly Method[] = [
  pipeline(
    {
      id: 'sleep-trees',
      version: '1',
      title: 'Sleep features, gradient-boosted trees',
      source: 'Vallat & Walker 2021, eLife 10:e70092; Ke et al. 2017, NeurIPS',
      family: 'sleep features',
      kinds: ['sleep', 'other'],
      unreadable: atLeastTrialsPerClass(10, 'trees of several leaves'),
    },
    plain(['sleep'], { standardise: false }),
    boostedTrees,
  ),
  pipeline(
    {
      id: 'sleep-logistic',
      version: '1',
      title: 'Sleep features, logistic regression',
      source: 'Vallat & Walker 2021, eLife 10:e70092',
      family: 'sleep features',
      kinds: ['sleep', 'other'],
    },
    plain(['sleep'], { standardise: true }),
    tunedLogistic,
  ),
];
