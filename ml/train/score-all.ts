import type { Workspace } from '../methods/index.ts';
import { dropHopeless, scoreFirstFold } from './first-fold.ts';
import { scoreCandidate } from './score.ts';
import type { CandidateScore, FoldPlan, TrainingData } from './types.ts';

/**
 * Scores every candidate on the folds, in the order of `ids`, without those that the first fold drops. If none of the
 * others can be fitted on every fold, the dropped ones are scored until one can be.
 */
export function scoreAll(
  ids: readonly string[],
  data: TrainingData,
  plan: FoldPlan,
  workspace: Workspace,
): CandidateScore[] {
  const scores: CandidateScore[] = [];
  const firstFolds = ids.map((id) => scoreFirstFold(id, data, plan, workspace)).filter((each) => each !== null);
  const dropped = dropHopeless(ids, firstFolds, data, plan);
  for (const id of ids)
    scores.push(dropped.find(({ method }) => method === id) ?? scoreCandidate(id, data, plan, workspace, scores));
  for (const { method } of dropped)
    if (!scores.some(({ status }) => status === 'scored'))
      scores[ids.indexOf(method)] = scoreCandidate(method, data, plan, workspace);
  return scores;
}
