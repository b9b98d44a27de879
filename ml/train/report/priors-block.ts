import { classFractions, withPrior } from '../../evidence/priors.ts';
import { balancedAccuracy, countsOf, decisions } from '../../evidence/scores.ts';
import type { TrainingData } from '../types.ts';

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

/**
 * The model's class priors, and its accuracy under them: over all trials, and balanced over the classes. `heldOut`:
 * probabilities [trials × classes] of each pass.
 */
export function priorsBlock(heldOut: readonly Float64Array[], data: TrainingData) {
  const { classes, labels, priors: kind = 'balanced' } = data;
  const named = (fractions: readonly number[]) => Object.fromEntries(classes.map((name, k) => [name, fractions[k]]));
  const sent = classFractions(data);
  const prior = kind === 'as_sent' ? sent : sent.map(() => 1 / classes.length);
  const predicted = heldOut.map((table) => decisions(withPrior(table, prior), classes.length));
  // A sample contains rare classes more often than the data sent, so its trials are weighted back to the class
  // fractions of all trials.
  const counts = countsOf(labels, classes.length);
  const weights = sent.map((fraction, k) => (data.sampledFrom ? (fraction * labels.length) / counts[k] : 1));
  const accuracy = (own: Int32Array): number => {
    const weightOf = (isCounted: (k: number, i: number) => boolean): number =>
      own.reduce((sum, k, i) => sum + (isCounted(k, i) ? weights[labels[i]] : 0), 0);
    return weightOf((k, i) => k === labels[i]) / weightOf((k) => k >= 0);
  };
  return {
    kind,
    classes: named(prior),
    sent: named(sent),
    accuracy: mean(predicted.map(accuracy)),
    balanced_accuracy: mean(predicted.map((own) => balancedAccuracy(own, labels, classes.length))),
    explanation: priorsText[kind],
  };
}

export const priorsText = {
  balanced:
    'Probabilities take every class to be equally likely beforehand, whatever its share of the trials. A class that ' +
    'is rare where the model is used is right less often than its probability says. `parameters: {"priors": ' +
    '"as_sent"}` at create gives probabilities for classes as frequent as in the trials of the fit.',
  as_sent:
    'Probabilities take each class to be as likely beforehand as its share of the trials of the fit. So labels ' +
    'lean towards frequent classes. All other scores of this report are those of classes that are equally likely ' +
    'beforehand. `accuracy` and `balanced_accuracy` here are those of the labels as they are answered.',
} as const;
