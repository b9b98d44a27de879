import { accuracyInterval } from './interval.ts';
import { meanConfusion } from './confusion.ts';
import { foldDependence, permutationP } from './permutation.ts';
import { balancedAccuracy, countsOf, decisions, votesIn } from './scores.ts';
import type { FoldPlan, LabelledTrials } from './types.ts';
import type { WithoutPart } from './without-part.ts';

/** Score of a control on the folds of the candidates. */
export interface ControlEvidence {
  readonly balancedAccuracy: number;
  /** 95 % interval. */
  readonly interval: readonly [number, number];
  /** As `permutationP`; NaN where the plan withholds the evidence. */
  readonly p: number;
}

/** Enough to decide whether p is below a quarter of 0.05; see `controlLevel`. */
const permutations = 199;

/** Score, interval and p-value of a control, from its held-out log-scores [evidence passes × trials × classes]. */
export function weighControl(outOfFold: Float64Array, data: LabelledTrials, plan: FoldPlan): ControlEvidence {
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

/** Significance level of one control. There are four (Bonferroni correction). */
const controlLevel = 0.05 / 4;
/** A control that reaches this fraction of the score's distance above chance explains it, whatever the intervals. */
const mostFraction = 2 / 3;

/** A score, its 95 % interval, and what guessing scores. */
export interface ToExplain {
  readonly score: number;
  readonly interval: readonly [number, number];
  readonly chance: number;
}

/**
 * How much of a score a control explains. Null: nothing, or the control is not significantly above chance. `all`: the
 * control reaches the interval of the score, or without the part little of the score is left and none of it is clearly
 * above chance. Few trials alone do not show that: their interval is wide. `most`: the control reaches two thirds of
 * the score's distance above chance.
 */
export function explained(
  { balancedAccuracy: own, interval, p }: ControlEvidence,
  { score, interval: of, chance }: ToExplain,
  without: WithoutPart | null = null,
): 'all' | 'most' | null {
  const above = Number.isFinite(p) ? p <= controlLevel : interval[0] > chance;
  if (!above) return null;
  if (own >= of[0]) return 'all';
  const least = (1 - mostFraction) * (score - chance);
  if (without && without.interval[0] <= chance && without.balancedAccuracy - chance <= least) return 'all';
  return own - chance >= mostFraction * (score - chance) ? 'most' : null;
}
