import { decideBoostedTrees, fitBoostedTrees } from '../../classify/boosted-trees.ts';
import type { BoostedHead } from '../../classify/boosted-trees.ts';
import { balancedWeights } from '../../classify/linear.ts';
import type { Classifier } from './types.ts';

/** Gradient-boosted trees, classes weighted to the same total; smaller leaves where trials are few. */
export const boostedTrees: Classifier = {
  fit: ({ x, dimension }, labels, classes) =>
    fitBoostedTrees(x, labels.length, dimension, labels, classes, {
      rounds: 80,
      rate: 0.1,
      featureShare: 0.35,
      leaves: 16,
      depth: 5,
      lambda: 1,
      leafTrials: Math.max(3, Math.min(20, Math.round(labels.length / 40))),
      weights: balancedWeights(labels, classes),
    }),
  decide: (head, { x }) => decideBoostedTrees(head as BoostedHead, x),
};
