import { countsOf } from './scores.ts';
import type { LabelledTrials } from './types.ts';

/** Prior of the classes: all equal, or the class frequencies among the trials of the fit. */
export type Priors = 'balanced' | 'as_sent';

/** Fraction of the trials in each class. For a sample: the fractions in all trials from which it was drawn. */
export function classFractions({ labels, classes, sampledFrom }: LabelledTrials): number[] {
  const counts = sampledFrom?.perClass ?? countsOf(labels, classes.length);
  const total = counts.reduce((sum, count) => sum + count, 0);
  return counts.map((count) => count / total);
}

/**
 * Converts probabilities [trials × classes] of equally likely classes to the class prior `prior` (Bayes; Saerens,
 * Latinne & Decaestecker 2002, Neural Comput. 14). A row of NaN stays NaN.
 */
export function withPrior(probabilities: Float64Array, prior: readonly number[]): Float64Array {
  const classes = prior.length;
  const out = probabilities.map((value, i) => value * prior[i % classes]);
  for (let at = 0; at < out.length; at += classes) {
    let sum = 0;
    for (let k = 0; k < classes; k += 1) sum += out[at + k];
    for (let k = 0; k < classes; k += 1) out[at + k] /= sum;
  }
  return out;
}
