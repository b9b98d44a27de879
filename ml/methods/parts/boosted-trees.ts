import { decideBoostedTrees, fitBoostedTrees } from '../../classify/boosted-trees.ts';
import type { BoostedHead } from '../../classify/boosted-trees.ts';
import { balancedWeights } from '../../classify/linear.ts';
import type { Classifier } from './types.ts';

/** Gradient-boosted trees, all classes weighted to the same total. With fewer trials the leaves are smaller. */
export const boostedTrees: Classifier = {
  fit: (vectors, labels, classes) =>
    fitBoostedTrees(vectors, labels, classes, {
      rounds: 80,
      rate: 0.1,
      featureFraction: 0.35,
      leaves: 16,
      depth: 5,
      lambda: 1,
      leafTrials: Math.max(3, Math.min(20, Math.round(labels.length / 40))),
      weights: balancedWeights(labels, classes),
    }),
  decide: (head, { data }) => decideBoostedTrees(head as BoostedHead, data),
};
