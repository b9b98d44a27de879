import { boostedTrees } from './parts/boosted-trees.ts';
import { pipeline } from './parts/pipeline.ts';
import { plain } from './parts/plain.ts';
import { atLeastSeconds, atLeastTrialsPerClass, firstOf } from './reasons.ts';

/** Sleep features per channel (relative band powers, ratios, Hjorth, entropies, fractal dimensions), gradient-boosted trees with class weights. */
export const sleepTrees = pipeline(
  {
    id: 'sleep-trees',
    version: '1',
    title: 'Sleep features, gradient-boosted trees',
    source: 'Vallat & Walker 2021, eLife 10:e70092; Ke et al. 2017, NeurIPS',
    family: 'sleep features',
    publishedDisadvantage: 0,
    kinds: ['sleep', 'other'],
    unreadable: firstOf(atLeastSeconds(8, 'windows of 5 s'), atLeastTrialsPerClass(10, 'trees of several leaves')),
  },
  plain(['sleep'], { standardise: false }),
  boostedTrees,
);
