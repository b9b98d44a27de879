import { fitElasticNet } from '../../classify/elastic-net.ts';
import { fitLda } from '../../classify/lda.ts';
import { balancedWeights, decideLinear } from '../../classify/linear.ts';
import type { LinearHead } from '../../classify/linear.ts';
import { fitLogistic } from '../../classify/logistic.ts';
import { fitRidge } from '../../classify/ridge.ts';
import { fitShrinkageLda } from '../../classify/shrinkage-lda.ts';
import { basisInSteps } from '../../classify/spectral-basis.ts';
import type { SpectralBasis } from '../../classify/spectral-basis.ts';
import { fitSvm } from '../../classify/svm.ts';
import { fitTunedLogistic } from '../../classify/tuned-logistic.ts';
import { toEnd } from '../../steps.ts';
import type { Steps } from '../../steps.ts';
import { onceInSteps } from '../workspace.ts';
import type { Workspace } from '../workspace.ts';
import type { Classifier, Vectors } from './types.ts';

const decide: Classifier['decide'] = (head, { x }) => decideLinear(head as LinearHead, x);

/** Spectral basis of training vectors, made once for all linear classifiers of a fold. */
function begin({ x, dimension }: Vectors, workspace: Workspace): Steps<SpectralBasis> {
  return onceInSteps(workspace, [x], 'basis', () => basisInSteps(x, x.length / dimension, dimension));
}

const basisOf = (...input: Parameters<typeof begin>): SpectralBasis => toEnd(begin(...input));

/** Logistic regression, classes weighted to the same total. */
export const logistic = (c: number): Classifier => ({
  begin,
  fit: (vectors, labels, classes, workspace) =>
    fitLogistic(basisOf(vectors, workspace), labels, classes, { c, weights: balancedWeights(labels, classes) }),
  decide,
  linear: true,
});

/** Logistic regression with C chosen inside the training trials. */
export const tunedLogistic: Classifier = {
  begin,
  fit: (vectors, labels, classes, workspace) => fitTunedLogistic(basisOf(vectors, workspace), labels, classes),
  decide,
  linear: true,
};

/** Ridge regression with the penalty of least leave-one-out error. */
export const ridge: Classifier = {
  begin,
  fit: (vectors, labels, classes, workspace) => fitRidge(basisOf(vectors, workspace), labels, classes),
  decide,
  linear: true,
};

/** Logistic regression with an elastic-net penalty, classes weighted to the same total. */
export const elasticNet = (c: number, ratio: number): Classifier => ({
  fit: ({ x, dimension }, labels, classes) =>
    fitElasticNet(x, labels, classes, dimension, { c, ratio, weights: balancedWeights(labels, classes) }),
  decide,
  linear: true,
});

/** Linear support vector machine, classes weighted to the same total. */
export const svm = (c: number): Classifier => ({
  begin,
  fit: (vectors, labels, classes, workspace) =>
    fitSvm(basisOf(vectors, workspace), labels, classes, c, balancedWeights(labels, classes)),
  decide,
  linear: true,
});

/** Linear discriminant analysis with equal priors. */
export const lda = (shrinkage: 'auto' | 'none'): Classifier => ({
  fit: ({ x, dimension }, labels, classes) =>
    shrinkage === 'auto' && dimension > labels.length
      ? fitShrinkageLda(x, labels.length, dimension, labels, classes)
      : fitLda(x, labels.length, dimension, labels, classes, shrinkage),
  decide,
  linear: true,
});
