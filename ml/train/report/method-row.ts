import { meanConfusion } from '../../evidence/confusion.ts';
import { accuracyInterval } from '../../evidence/interval.ts';
import { balancedAccuracy, countsOf, decisions } from '../../evidence/scores.ts';
import { batchDecisions } from '../in-order.ts';
import type { CandidateScore, Choice, FoldPlan, TrainingData } from '../types.ts';

const spread = (values: readonly number[]): number => {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  return values.length > 1 ? Math.sqrt(values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / (values.length - 1)) : 0;
};

/** Balanced accuracy with every held-out session aligned as a batch; null without sessions. */
export const alignedAccuracy = (score: CandidateScore, data: TrainingData, plan: FoldPlan): number | null => {
  const classes = data.classes.length;
  const aligned = batchDecisions(score, data, plan);
  return aligned && balancedAccuracy(decisions(aligned, classes), data.labels, classes);
};

/** The prior of a candidate and what it makes of the held-out log-loss; empty for a candidate that the choice lacks. */
function expectation({ method, prior }: CandidateScore, { expectedBehind = {} }: Choice, leastPrior: number) {
  if (!Object.hasOwn(expectedBehind, method)) return {};
  const { mean, sd, people } = prior;
  return {
    prior: { log_loss_behind: mean - leastPrior, sd, people },
    expected_log_loss_behind: expectedBehind[method],
  };
}

/** Report row of a method that was tried. `leastPrior`: least prior mean of the candidates. */
export function methodRow(
  score: CandidateScore,
  data: TrainingData,
  plan: FoldPlan,
  { choice, leastPrior }: { readonly choice: Choice; readonly leastPrior: number },
): Record<string, unknown> {
  const common = {
    id: score.method,
    version: score.version,
    title: score.title,
    status: score.status,
    seconds: score.seconds,
  };
  if (score.status === 'failed') return { ...common, reason: score.reason };
  if (score.status === 'dropped')
    return { ...common, balanced_accuracy: score.balancedAccuracy, log_loss: score.logLoss, reason: score.reason };
  const aligned = alignedAccuracy(score, data, plan);
  return {
    ...common,
    balanced_accuracy: score.balancedAccuracy,
    interval_95: accuracyInterval(meanConfusion(score, data, plan).recalls, countsOf(data.labels, data.classes.length)),
    fold_scores: score.foldScores,
    fold_spread: spread(score.foldScores),
    log_loss: score.logLoss,
    ...expectation(score, choice, leastPrior),
    temperature: score.temperature,
    ...(aligned === null ? {} : { balanced_accuracy_aligned: aligned }),
    reason: null,
  };
}
