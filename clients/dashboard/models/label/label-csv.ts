import { csvLine } from '../../../../api/account/data/csv.ts';
import type { LabelledTrial } from './send-labels.ts';

export interface LabelRows {
  readonly classes: readonly string[];
  /** Seconds from the beginning of the recording, one per trial. */
  readonly begins: readonly number[];
  readonly trials: readonly LabelledTrial[];
  readonly truth: readonly (string | null)[];
}

/** A time to the millisecond, without trailing zeros. */
export const secondsText = (seconds: number): string => String(Math.round(seconds * 1000) / 1000);

/**
 * The labels as CSV: a line per trial, with the probabilities as the API gave them, all digits. The known class is in a
 * column of its own if the events carry classes.
 */
export function labelCsv({ classes, begins, trials, truth }: LabelRows): string {
  const hasTruth = truth.some((each) => each !== null);
  const head = ['trial', 'begins_s', 'label', ...classes.map((name) => `probability ${name}`)];
  const rows = trials.map(({ label, probabilities }, i) => [
    String(i + 1),
    secondsText(begins[i]),
    label,
    ...classes.map((name) => String(probabilities[name])),
    ...(hasTruth ? [truth[i]] : []),
  ]);
  return [hasTruth ? [...head, 'known class'] : head, ...rows].map(csvLine).join('');
}
