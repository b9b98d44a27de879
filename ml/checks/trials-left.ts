import { mlLimits } from '../limits.ts';
import type { Checked } from './types.ts';

/** Trials of the class that is left with the fewest without those `gone`; infinitely many without labels. */
function fewestLeft(labels: readonly string[] | undefined, gone: readonly number[]): number {
  const without = new Set(gone);
  const left = new Map<string, number>();
  labels?.forEach((label, t) => left.set(label, (left.get(label) ?? 0) + (without.has(t) ? 0 : 1)));
  return Math.min(...left.values());
}

/** Whether a fit can do without these trials. */
export const enoughLeft = ({ labels }: Checked, gone: readonly number[]): boolean =>
  fewestLeft(labels, gone) >= mlLimits.minTrialsPerClass;

/** That a fit of these trials, which leaves out all that are `gone`, will fail, in words; null: it will not. */
export function willFail(checked: Checked, gone: readonly number[]): string | null {
  if (!checked.whole || enoughLeft(checked, gone)) return null;
  return (
    `The fit will fail: without them a class is left with ${fewestLeft(checked.labels, gone)} of the ` +
    `${mlLimits.minTrialsPerClass} trials that it needs. Send the trials as they were recorded.`
  );
}
