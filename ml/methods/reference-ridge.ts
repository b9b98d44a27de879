import { balancedWeights, decideLinear } from '../classify/linear.ts';
import { fitLogistic } from '../classify/logistic.ts';
import { spectralBasis } from '../classify/spectral-basis.ts';
import { referenceMethod } from './parts/reference-method.ts';
import type { Adapt, ReferenceSet } from './parts/reference-method.ts';
import { scaleOf } from './parts/reference-scale.ts';
import type { Method } from './types.ts';

const source = 'Chelba & Acero 2006, Comput. Speech Lang. 20(4); Barachant et al. 2012, IEEE Trans. Biomed. Eng. 59(4)';

/**
 * Logistic regression with a penalty that pulls the weights towards those of other people. With more own trials the
 * weights move further away. The strength of the pull was measured on other people, and the scale of their weights on
 * the own trials.
 */
const drawnToOthers: Adapt = ({ weights, bias, strength }, vectors, labels, { data, workspace }) => {
  const classes = data.classes.length;
  const basis = workspace.once([vectors.data], 'basis', () => spectralBasis(vectors));
  const offsets = decideLinear({ weights, bias }, vectors.data);
  const scale = scaleOf(offsets, labels, classes);
  const meanPower = basis.power.reduce((a, b) => a + b, 0) / labels.length;
  const own = fitLogistic(basis, labels, classes, {
    c: strength / Math.max(meanPower, 1e-300),
    weights: balancedWeights(labels, classes),
    offsets: offsets.map((value) => scale * value),
  });
  return {
    weights: weights.map((value, j) => scale * value + own.weights[j]),
    bias: bias.map((value, k) => scale * value + own.bias[k]),
  };
};

const row = (id: string, title: string, set: ReferenceSet): Method =>
  referenceMethod({ id, title, source }, set, drawnToOthers);

/** Classifiers that start from other people and learn from the person's own trials. */
export const referenceRidge = row('reference-ridge', 'Other people and own trials, 8–32 Hz', 'cov/8-32');
export const referenceRidgeWide = row('reference-ridge-wide', 'Other people and own trials, 4–40 Hz', 'cov/4-40');
export const referenceRidgeMeans = row(
  'reference-ridge-means',
  'Other people and own trials, mean amplitudes',
  'erp/windows',
);
