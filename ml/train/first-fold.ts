import { firstPass } from '../evidence/drawn-folds.ts';
import { candidatesToDrop } from '../evidence/dropped-candidates.ts';
import type { FirstFold } from '../evidence/dropped-candidates.ts';
import { fitTemperature } from '../evidence/temperature.ts';
import { methodOf, methods } from '../methods/index.ts';
import type { Workspace } from '../methods/index.ts';
import { readableMembers } from '../methods/members.ts';
import { valuesAt } from '../rows.ts';
import { toEnd } from '../steps.ts';
import type { Steps } from '../steps.ts';
import { answerAt, currentAnswer } from './answers.ts';
import { droppedScore } from './dropped-score.ts';
import { commonOf, fitOnce } from './score.ts';
import type { CandidateScore, FoldPlan, TrainingData } from './types.ts';

export type { FirstFold };

/**
 * Log-scores [test trials × classes] of one candidate on the first fold. Null for averages, which follow from their
 * members, and if the fit fails: `scoreInSteps` reports the failure. The workspace keeps the fit for `scoreInSteps`.
 */
export function* firstFoldInSteps(
  methodId: string,
  data: TrainingData,
  plan: FoldPlan,
  workspace: Workspace,
): Steps<FirstFold | null> {
  const method = methodOf(methodId);
  if (method.members) return null;
  try {
    const { logScores } = yield* fitOnce(method, data, plan.folds[0], workspace);
    return { method: methodId, logScores };
  } catch {
    return null;
  }
}

/** `firstFoldInSteps` without pauses. */
export const scoreFirstFold = (...input: Parameters<typeof firstFoldInSteps>): FirstFold | null =>
  toEnd(firstFoldInSteps(...input));

/**
 * Candidates that are not scored on the other folds, because they cannot catch up after the first (see
 * `candidatesToDrop`); the best of the first fold come first. If none of the remaining candidates can be fitted on
 * every fold, these are tried in this order. A member of an average stays as long as the average stays. If trials are
 * linked, or whole blocks are held out, none is dropped: a fold with so few independent trials proves nothing.
 */
export function dropHopeless(
  candidates: readonly string[],
  firstFolds: readonly FirstFold[],
  data: TrainingData,
  plan: FoldPlan,
): CandidateScore[] {
  if (data.links || plan.validation === 'blocks') return [];
  const classes = data.classes.length;
  const { average } = answerAt(currentAnswer());
  const labels = valuesAt(data.labels, plan.folds[0].test);
  const scoreOf = (id: string): Float64Array | undefined => firstFolds.find(({ method }) => method === id)?.logScores;
  const averages = methods.flatMap((method) => {
    const members = candidates.includes(method.id) ? readableMembers(method, data) : null;
    return members ? [{ id: method.id, members }] : [];
  });
  const averaged = averages.flatMap(({ id, members }): FirstFold[] => {
    const tables = members.map((member) => scoreOf(member.id)).filter((table) => table !== undefined);
    if (tables.length < members.length) return [];
    const temperatures = tables.map((table) => fitTemperature(table, labels, classes).temperature);
    return [{ method: id, logScores: average(tables, temperatures, classes) }];
  });
  const folds = firstPass(plan).length;
  const lost = candidatesToDrop([...firstFolds, ...averaged], labels, classes, folds);
  const isLost = (id: string): boolean => lost.some(({ method }) => method === id);
  const needed = averages.filter(({ id }) => !isLost(id)).flatMap(({ members }) => members.map(({ id }) => id));
  return lost
    .filter(({ method }) => !needed.includes(method))
    .map((each) => {
      const { balancedAccuracy, logLoss, best, bound } = each;
      const title = methodOf(best.method).title;
      const reason =
        `On the first of ${folds} folds its balanced accuracy was ${shown(balancedAccuracy)}. Its log-loss was ` +
        `${shown(logLoss)}, ${shown(logLoss - best.logLoss)} more than that of ${title}. A method that is more than ` +
        `${shown(bound)} behind cannot catch up, so the other folds were not scored.`;
      return droppedScore(commonOf(methodOf(each.method), data), { reason, balancedAccuracy, logLoss });
    });
}

const shown = (value: number): string => value.toFixed(3);
