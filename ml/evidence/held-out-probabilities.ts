import { temperatureWithout } from './temperature.ts';
import type { FoldPlan, LabelledTrials } from './types.ts';

/**
 * Held-out probabilities [trials × classes] of each evidence pass, from log-scores [passes × trials × classes] of fits
 * that did not see the trial. The temperature of each fold is fitted on the other folds of the pass.
 */
export function heldOutProbabilities(
  outOfFold: Float64Array,
  { labels, classes: { length: classes } }: Pick<LabelledTrials, 'labels' | 'classes'>,
  plan: Pick<FoldPlan, 'folds' | 'evidencePasses'>,
  softmax: (logScores: Float64Array, classes: number, temperature: number) => Float64Array,
): Float64Array[] {
  const size = labels.length * classes;
  return Array.from({ length: plan.evidencePasses }, (_, pass) => {
    const own = outOfFold.subarray(pass * size, (pass + 1) * size);
    const out = new Float64Array(size).fill(Number.NaN);
    for (const { test } of plan.folds.filter((fold) => fold.pass === pass)) {
      const temperature = temperatureWithout(own, test, labels, classes);
      for (const row of test)
        out.set(softmax(own.slice(row * classes, (row + 1) * classes), classes, temperature), row * classes);
    }
    return out;
  });
}
