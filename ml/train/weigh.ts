import { correctedScore, votesOfChoices } from '../evidence/bias-corrected.ts';
import type { CorrectedScore } from '../evidence/bias-corrected.ts';
import { foldDependence, permutationP } from '../evidence/permutation.ts';
import { votedAccuracy } from '../evidence/selection.ts';
import { evidenceOf } from './choose.ts';
import type { CandidateScore, Choice, FoldPlan, TrainingData } from './types.ts';

/** What choosing among all candidates is worth: the score free of the winner's curse, and how likely chance alone is to reach the winner's. */
export interface Weighed {
  readonly corrected: CorrectedScore;
  readonly permutation: { readonly p: number; readonly permutations: number };
}

export function weigh(scores: readonly CandidateScore[], choice: Choice, data: TrainingData, plan: FoldPlan): Weighed {
  const candidates = evidenceOf(scores, data, plan);
  const winner = candidates.find(({ score }) => score.method === choice.method)!;
  const { labels, sessions } = data;
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
