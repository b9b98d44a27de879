import { accuracyInterval } from './interval.ts';
import { meanConfusion } from './confusion.ts';
import { foldDependence, permutationP } from './permutation.ts';
import { balancedAccuracy, countsOf, decisions, votesIn } from './scores.ts';
import type { FoldPlan, LabelledTrials } from './types.ts';

/** What a control reaches on the folds of the candidates. */
export interface Reached {
  readonly balancedAccuracy: number;
  /** 95 % interval. */
  readonly interval: readonly [number, number];
  /** As `permutationP`; NaN where the plan withholds the evidence. */
  readonly p: number;
}

/** Enough to tell whether p is below a third of 0.05; see `surely`. */
const permutations = 199;

/** Weighs held-out log-scores [evidence passes × trials × classes] of a control. */
export function reached(outOfFold: Float64Array, data: LabelledTrials, plan: FoldPlan): Reached {
  const classes = data.classes.length;
  const size = data.labels.length * classes;
  const { recalls } = meanConfusion({ outOfFold }, data, plan);
  const passes = Array.from({ length: plan.evidencePasses }, (_, p) =>
    decisions(outOfFold.subarray(p * size, (p + 1) * size), classes),
  );
  const score = passes.reduce((sum, own) => sum + balancedAccuracy(own, data.labels, classes), 0) / passes.length;
  return {
    balancedAccuracy: score,
    interval: accuracyInterval(recalls, countsOf(data.labels, classes)),
    p:
      plan.withheld === null
        ? permutationP([votesIn(passes, classes)], score, {
            labels: data.labels,
            classes,
            sessions: plan.groups,
            units: plan.shuffled,
            dependence: foldDependence(plan),
            permutations,
          }).p
        : Number.NaN,
  };
}

/** How sure it must be that a control is above chance: three are looked at. */
const surely = 0.05 / 3;
/** Share of what the score is above chance that a control must reach to explain it, whatever the intervals. */
const mostOfIt = 2 / 3;

/** A score, its 95 % interval, and what guessing scores. */
export interface ToExplain {
  readonly score: number;
  readonly interval: readonly [number, number];
  readonly chance: number;
}

/**
 * How much of a score a control explains, if any: it must surely be above chance itself. `all`: it reaches the interval
 * of the score; `most`: two thirds of what the score is above chance.
 */
export function explained(
  { balancedAccuracy: own, interval, p }: Reached,
  { score, interval: of, chance }: ToExplain,
): 'all' | 'most' | null {
  const above = Number.isFinite(p) ? p <= surely : interval[0] > chance;
  if (!above) return null;
  if (own >= of[0]) return 'all';
  return own - chance >= mostOfIt * (score - chance) ? 'most' : null;
}
