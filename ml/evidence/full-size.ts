import type { CorrectedScore } from './bias-corrected.ts';

/** How much better a method is when it trains on more of the same trials, measured on held-out ones. */
export interface Growth {
  /** Share of all trials that was trained on, less and more. */
  readonly from: number;
  readonly to: number;
  /** Balanced accuracy with more, less that with less. */
  readonly gain: number;
  /** Standard error of the gain. */
  readonly error: number;
}

/**
 * A corrected score that speaks for a model of all trials, from one of fits on a share of them (`growth.from`).
 * Accuracy is taken to grow as a − b/√n (see `forecast`), b by what was measured between two shares; the interval is
 * widened by its standard error.
 *
 * Growth is never below nothing and never faster than √n of what the score is above chance: a linear classifier tells
 * two classes apart by δ² / √(δ² + p/n) standard deviations, δ apart in p dimensions (Raudys & Jain 1991, IEEE TPAMI
 * 13), which is proportional to √n while the noise of few trials dominates and saturates after; accuracy is concave in
 * it. So what is at chance stays there, and a method that was chosen for lucky trials, which seem to bring much, cannot
 * carry that luck on.
 */
export function atFullSize(
  score: CorrectedScore,
  growth: Growth | null,
  { classes, trialsPerClass }: { readonly classes: number; readonly trialsPerClass: number },
): CorrectedScore {
  if (!growth) return score;
  const { balancedAccuracy } = score;
  const carried = (1 / Math.sqrt(growth.from) - 1) / (1 / Math.sqrt(growth.from) - 1 / Math.sqrt(growth.to));
  const most = Math.max(0, balancedAccuracy - 1 / classes) * (1 / Math.sqrt(growth.from) - 1);
  const more = (errors: number): number => within(0, carried * (growth.gain + errors * growth.error), most);
  const [low, high] = score.interval;
  return {
    ...score,
    balancedAccuracy: within(0, balancedAccuracy + more(0), 1),
    interval: [within(0, low + more(-1.96), 1), within(0, high + more(1.96), 1)],
    trialsPerClass,
    measured: { balancedAccuracy, trialsPerClass: score.trialsPerClass },
  };
}

const within = (least: number, value: number, most: number): number => Math.min(most, Math.max(least, value));
