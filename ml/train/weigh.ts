import { correctedScore, votesOfChoices } from '../evidence/bias-corrected.ts';
import { foldDependence, permutationP } from '../evidence/permutation.ts';
import { decide, poolVotes, votesOf } from '../evidence/opinion-pool.ts';
import { votedAccuracy } from '../evidence/selection.ts';
import { evidenceOf } from './choose.ts';
import type { CandidateScore, FoldPlan, TrainingData, Weighed } from './types.ts';

/** Evidence of the choice among `scores`; see `Weighed`. Empty if the plan withholds the evidence. */
export function weigh(scores: readonly CandidateScore[], data: TrainingData, plan: FoldPlan): Weighed {
  if (plan.withheld !== null) return { corrected: null, permutation: { p: Number.NaN, permutations: 0 } };
  const candidates = evidenceOf(scores, data, plan);
  const { labels } = data;
  const { groups: sessions } = plan;
  const classes = data.classes.length;
  const input = { candidates, labels, classes, sessions, plan };
  const corrected = correctedScore(input);
  const decision = decide(candidates, labels, classes, null);
  const chosen = corrected.nested ? votesOfChoices(input, null) : votesOf(decision, candidates, labels, classes);
  const tested = corrected.nested ? [chosen] : candidates.map(({ votes }) => votes);
  const anew = corrected.nested || !decision.weights ? null : poolVotes(candidates, decision, classes);
  const dependence = foldDependence(plan);
  const permutation = permutationP(tested, votedAccuracy(chosen, labels, classes), {
    labels,
    classes,
    sessions,
    units: plan.shuffled,
    dependence,
    ...(anew && { anew }),
  });
  return { corrected: corrected.resamples > 0 ? corrected : null, permutation };
}
