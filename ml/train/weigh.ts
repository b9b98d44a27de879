import { correctedScore, votesOfChoices } from '../evidence/bias-corrected.ts';
import { foldDependence, permutationP } from '../evidence/permutation.ts';
import { votedAccuracy } from '../evidence/selection.ts';
import { evidenceOf } from './choose.ts';
import type { CandidateScore, Choice, FoldPlan, TrainingData, Weighed } from './types.ts';

/** Weighs the choice among `scores`; see `Weighed`. */
export function weigh(scores: readonly CandidateScore[], choice: Choice, data: TrainingData, plan: FoldPlan): Weighed {
  const candidates = evidenceOf(scores, data, plan);
  const winner = candidates.find(({ score }) => score.method === choice.method)!;
  const { labels } = data;
  const { groups: sessions } = plan;
  const classes = data.classes.length;
  const input = { candidates, labels, classes, sessions, plan };
  const corrected = correctedScore(input);
  const tested = corrected.nested ? [votesOfChoices(input, null)] : candidates.map(({ votes }) => votes);
  const observed = votedAccuracy(corrected.nested ? tested[0] : winner.votes, labels, classes);
  return {
    corrected,
    permutation: permutationP(tested, observed, { labels, classes, sessions, dependence: foldDependence(plan) }),
  };
}
