import type { CorrectedScore } from './bias-corrected.ts';

/** Gain of a method from more training trials, measured on held-out trials. */
export interface Growth {
  /** Fraction of all trials in training: the smaller and the larger. */
  readonly from: number;
  readonly to: number;
  /** Balanced accuracy of the larger fraction minus that of the smaller. */
  readonly gain: number;
  /** Standard error of the gain. */
  readonly error: number;
}

/**
 * Extends a corrected score of fits on a fraction of the trials (`growth.from`) to a model of all trials. Accuracy is
 * assumed to grow as a − b/√n (see `forecast`). b comes from the gain measured between two fractions. The standard
 * error of that gain widens the interval.
 *
 * The growth is at least 0. It is at most proportional to √n times the score's distance above chance: a linear
 * classifier separates two classes by δ² / √(δ² + p/n) standard deviations, if they are δ apart in p dimensions (Raudys
 * & Jain 1991, IEEE TPAMI 13). This is proportional to √n while the noise of few trials dominates, and saturates after;
 * accuracy is a concave function of it. So a score at chance stays at chance. A method that was chosen by luck seems to
 * gain much from more trials, and the limit keeps that luck out of the result.
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
  const gainWith = (errors: number): number => within(0, carried * (growth.gain + errors * growth.error), most);
  const [low, high] = score.interval;
  return {
    ...score,
    balancedAccuracy: within(0, balancedAccuracy + gainWith(0), 1),
    interval: [within(0, low + gainWith(-1.96), 1), within(0, high + gainWith(1.96), 1)],
    trialsPerClass,
    measured: { balancedAccuracy, trialsPerClass: score.trialsPerClass },
  };
}

const within = (least: number, value: number, most: number): number => Math.min(most, Math.max(least, value));
