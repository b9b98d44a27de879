import type { CorrectedScore } from './bias-corrected.ts';

/** How much better a method is when it trains on more of the same trials, measured on held-out ones. */
export interface Growth {
  /** Share of all trials that was trained on, less and more. */
  readonly from: number;
  readonly to: number;
  /** Balanced accuracy with more, less that with less. */
  readonly gain: number;
}

/**
 * A corrected score that speaks for a model of all trials, from one of fits on a share of them (`growth.from`).
 * Accuracy is taken to grow as a − b/√n (see `forecast`), b by what was measured between two shares.
 */
export function atFullSize(score: CorrectedScore, growth: Growth | null, trialsPerClass: number): CorrectedScore {
  if (!growth) return score;
  const steepness = growth.gain / (1 / Math.sqrt(growth.from) - 1 / Math.sqrt(growth.to));
  const more = steepness * (1 / Math.sqrt(growth.from) - 1);
  const moved = (value: number): number => Math.min(1, Math.max(0, value + more));
  const [low, high] = score.interval;
  return {
    ...score,
    balancedAccuracy: moved(score.balancedAccuracy),
    interval: [moved(low), moved(high)],
    trialsPerClass,
    measured: { balancedAccuracy: score.balancedAccuracy, trialsPerClass: score.trialsPerClass },
  };
}
