import type { CorrectedScore } from '../../evidence/bias-corrected.ts';
import { atFullSize } from '../../evidence/full-size.ts';
import type { Growth, TrainingData } from '../types.ts';

/**
 * The corrected score, and the number of trials of the model that it describes: as many as the folds train on, or all
 * if the gain from more trials was measured.
 */
export function correctedBlock(weighed: CorrectedScore, growth: Growth | null, data: TrainingData) {
  const classes = data.classes.length;
  const score = atFullSize(weighed, growth, { classes, trialsPerClass: Math.round(data.labels.length / classes) });
  const { balancedAccuracy, interval, resamples, unit, nested, trialsPerClass, measured } = score;
  return {
    balanced_accuracy: balancedAccuracy,
    interval_95: interval,
    resamples,
    resampled: unit,
    nested,
    trials_per_class: trialsPerClass,
    measured: measured
      ? { balanced_accuracy: measured.balancedAccuracy, trials_per_class: measured.trialsPerClass }
      : null,
    explanation: explanationOf(score),
  };
}

function explanationOf({ trialsPerClass, measured }: CorrectedScore): string {
  const what =
    'What the choice among all candidates is expected to reach on new trials of the same kind: choosing is repeated ' +
    'in each bootstrap sample and scored outside it.';
  return measured
    ? `${what} Held-out sessions leave ${measured.trialsPerClass} trials per class to train on, which reach ` +
        `${measured.balancedAccuracy.toFixed(3)}. The model is fitted on all ${trialsPerClass}, so the ` +
        'gain that we measured from more trials is added, limited by what is left above chance.'
    : `${what} It speaks for a model of ${trialsPerClass} trials per class, as many as the folds train on.`;
}
