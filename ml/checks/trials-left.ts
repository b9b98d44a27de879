import { mlLimits } from '../limits.ts';
import type { Checked } from './types.ts';
import { warningSentence } from '../warning-sentences.ts';

/** Size of the smallest class without the trials `gone`; infinite without labels. */
function fewestLeft(labels: readonly string[] | undefined, gone: readonly number[]): number {
  const without = new Set(gone);
  const left = new Map<string, number>();
  labels?.forEach((label, t) => left.set(label, (left.get(label) ?? 0) + (without.has(t) ? 0 : 1)));
  return Math.min(...left.values());
}

/** True if a fit has enough trials without these. */
export const enoughLeft = ({ labels }: Checked, gone: readonly number[]): boolean =>
  fewestLeft(labels, gone) >= mlLimits.minTrialsPerClass;

/** Why a fit of these trials without those `gone` will fail, as text; null: it will not. */
export function willFail(checked: Checked, gone: readonly number[]): string | null {
  if (!checked.whole || enoughLeft(checked, gone)) return null;
  return warningSentence('fit_will_fail', {
    left: fewestLeft(checked.labels, gone),
    needed: mlLimits.minTrialsPerClass,
  });
}
