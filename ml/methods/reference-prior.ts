import { decideLinear } from '../classify/linear.ts';
import { referenceMethod } from './parts/reference-method.ts';
import type { Adapt, ReferenceSet } from './parts/reference-method.ts';
import { scaleOf } from './parts/reference-scale.ts';
import type { Method } from './types.ts';

const source =
  'Barachant et al. 2012, IEEE Trans. Biomed. Eng. 59(4); Zanini et al. 2018, IEEE Trans. Biomed. Eng. 65(5)';

/** Classifier of other people. The person's own trials give the mean, and the scale of the classifier. */
const scaledByTrust: Adapt = ({ weights, bias }, { data: x }, labels) => {
  const scale = scaleOf(decideLinear({ weights, bias }, x), labels, bias.length);
  return { weights: weights.map((value) => scale * value), bias: bias.map((value) => scale * value) };
};

const row = (id: string, title: string, set: ReferenceSet): Method =>
  referenceMethod({ id, title, source }, set, scaledByTrust);

/** Classifiers trained on other people, applied at the person's own mean. Zero-shot models use these methods too. */
export const referencePrior = row('reference-prior', 'Other people, recentred, 8–32 Hz', 'cov/8-32');
export const referencePriorWide = row('reference-prior-wide', 'Other people, recentred, 4–40 Hz', 'cov/4-40');
export const referencePriorMeans = row('reference-prior-means', 'Other people, mean amplitudes', 'erp/windows');

/** Methods whose models answer without own trials. */
export const ownlessMethods: readonly Method[] = [referencePrior, referencePriorWide, referencePriorMeans];
