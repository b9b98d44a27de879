import { boostedTrees } from './parts/boosted-trees.ts';
import { pipeline } from './parts/pipeline.ts';
import { plain } from './parts/plain.ts';
import { atLeastSeconds, atLeastTrialsPerClass, firstOf } from './reasons.ts';

/** Log band power of every channel, gradient-boosted trees with class weights. */
export const powerTrees = pipeline(
  {
    id: 'power-trees',
    version: '1',
    title: 'Log band power, gradient-boosted trees',
    source: 'Friedman 2001, Ann. Stat. 29(5); Ke et al. 2017, NeurIPS',
    family: 'power trees',
    publishedDisadvantage: 8,
    kinds: ['sleep', 'other'],
    unreadable: firstOf(
      atLeastSeconds(0.5, 'two periods of 4 Hz'),
      atLeastTrialsPerClass(40, 'trees of several leaves'),
    ),
  },
  plain(['logpower'], { standardise: false }),
  boostedTrees,
);
