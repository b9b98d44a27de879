import { firstPass } from '../evidence/drawn-folds.ts';
import { sequenceOf, stagesFollow } from '../methods/sequence.ts';
import { putRows, takeRows } from '../rows.ts';
import { answerAt, currentAnswer } from './answers.ts';
import type { CandidateScore, FoldPlan, TrainingData } from './types.ts';

/**
 * Scores [trials × classes] of every held-out session sent as a batch: epochs of sleep read with their neighbours, by
 * what the training sessions of the fold say of their order. Null without sessions.
 */
export function batchDecisions(
  { aligned, temperature }: Pick<CandidateScore, 'aligned' | 'temperature'>,
  data: TrainingData,
  plan: FoldPlan,
): Float64Array | null {
  if (!aligned || !stagesFollow(data)) return aligned;
  const classes = data.classes.length;
  const groups = data.recordings ?? data.sessions;
  const { softmax, follow } = answerAt(currentAnswer());
  const out = softmax(aligned, classes, temperature);
  for (const { train, test } of firstPass(plan)) {
    const sequence = sequenceOf(data, train);
    if (!sequence) continue;
    for (const group of new Set(test.map((row) => groups?.[row] ?? 0))) {
      const rows = test.filter((row) => (groups?.[row] ?? 0) === group);
      putRows(out, classes, rows, follow(takeRows(out, classes, rows), sequence));
    }
  }
  return out;
}
