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

const decide: Classifier['decide'] = (head, { data }) => decideLinear(head as LinearHead, data);

/** Spectral basis of training vectors, computed once for all linear classifiers of a fold. */
function begin(vectors: Vectors, workspace: Workspace): Steps<SpectralBasis> {
  return onceInSteps(workspace, [vectors.data], 'basis', () => basisInSteps(vectors));
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

/** Logistic regression whose C is given per unit of the mean squared length of a centred trial. */
export const scaledLogistic = (strength: number): Classifier => ({
  begin,
  fit: (vectors, labels, classes, workspace) => {
    const basis = basisOf(vectors, workspace);
    const typical = basis.power.reduce((a, b) => a + b, 0) / basis.trials;
    const c = strength / Math.max(typical, 1e-300);
    return fitLogistic(basis, labels, classes, { c, weights: balancedWeights(labels, classes) });
  },
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
  fit: (vectors, labels, classes) =>
    fitElasticNet(vectors, labels, classes, { c, ratio, weights: balancedWeights(labels, classes) }),
  decide,
  linear: true,
});

/** Linear support vector machine, classes weighted to the same total. */
export const svm = (c: number): Classifier => ({
  begin,
  fit: (vectors, labels, classes, workspace) =>
    fitSvm(basisOf(vectors, workspace), labels, classes, { c, weights: balancedWeights(labels, classes) }),
  decide,
  linear: true,
});

/** Linear discriminant analysis with equal priors. */
export const lda = (shrinkage: 'auto' | 'none'): Classifier => ({
  fit: (vectors, labels, classes) =>
    shrinkage === 'auto' && vectors.columns > labels.length
      ? fitShrinkageLda(vectors, labels, classes)
      : fitLda(vectors, labels, classes, shrinkage),
  decide,
  linear: true,
});
