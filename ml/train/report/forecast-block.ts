import { forecast } from '../../evidence/forecast.ts';
import type { Estimate } from '../../evidence/forecast.ts';
import { percent } from '../../evidence/percent.ts';
import { foldDependence } from '../../evidence/permutation.ts';
import type { FoldPlan, LearningPoint, TrainingData } from '../types.ts';

/**
 * Forecast with more trials, with intervals and as text. Null if the curve cannot show it, and if the score may be
 * chance: then nothing can grow.
 */
export function forecastBlock(
  curve: readonly LearningPoint[],
  data: TrainingData,
  plan: FoldPlan,
  toldFromChance: boolean,
): Record<string, unknown> | null {
  const groups = plan.units ?? plan.groups;
  const found = toldFromChance
    ? forecast(curve, { labels: data.labels, classes: data.classes, groups }, foldDependence(plan))
    : null;
  if (!found) return null;
  const { withTwice, moreTrialsPerClass: more, gain } = found;
  return {
    balanced_accuracy_with_twice_the_trials: withTwice.value,
    interval_95_with_twice_the_trials: withTwice.interval,
    more_trials_per_class: more.value,
    interval_95_more_trials_per_class: more.interval,
    gain,
    text:
      `${textOf(more, gain)} Twice the trials are expected to reach ${percent(withTwice.value)} ` +
      `(95 % interval ${percent(withTwice.interval[0])} to ${percent(withTwice.interval[1])}).`,
  };
}

function textOf({ value, interval: [least, most] }: Estimate, gain: number): string {
  const open = Number.isFinite(most) ? `${least} to ${most}` : `${least} or more; perhaps no number is enough`;
  if (Number.isFinite(value))
    return `About ${value} more trials per class (95 % interval ${open}) are expected to raise the score by ${gain}.`;
  return Number.isFinite(least)
    ? `More trials of the same kind are not expected to raise the score by ${gain} (95 % interval ${open}).`
    : `More trials of the same kind are not expected to raise the score by ${gain}.`;
}
