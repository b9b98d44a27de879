import { countsOf } from './scores.ts';
import type { LabelledTrials } from './types.ts';

/** How likely each class is before a trial is looked at: all alike, or as often as among the trials of the fit. */
export type Priors = 'balanced' | 'as_sent';

/** Share of the trials that are of each class; of a sample, the shares in the trials it was drawn from. */
export function classShares({ labels, classes, sampledFrom }: LabelledTrials): number[] {
  const counts = sampledFrom?.perClass ?? countsOf(labels, classes.length);
  const total = counts.reduce((sum, count) => sum + count, 0);
  return counts.map((count) => count / total);
}

/**
 * Probabilities [trials × classes] of classes that are alike beforehand, for classes that are as likely beforehand as
 * `prior` says (Bayes; Saerens, Latinne & Decaestecker 2002, Neural Comput. 14). A row of NaN stays one.
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
