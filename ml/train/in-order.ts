import { firstPass } from '../evidence/drawn-folds.ts';
import { comesNext, sequenceOf, stagesFollow } from '../methods/sequence.ts';
import { putRows, takeRows } from '../rows.ts';
import { answerAt, currentAnswer } from './answers.ts';
import type { CandidateScore, FoldPlan, TrainingData } from './types.ts';

/**
 * Scores [trials × classes] of every held-out session as one batch. Epochs of sleep are read with their neighbours,
 * with the order of stages in the training sessions of the fold. Null without sessions. A sampled epoch has only its
 * sampled neighbours, so its score is at most that of whole nights.
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
      for (const part of sentTogether(data, rows))
        putRows(out, classes, part, follow(takeRows(out, classes, part), sequence));
    }
  }
  return out;
}

/** Consecutive rows of a recording; for a sample, the runs of trials that were consecutive when sent. */
function sentTogether(data: TrainingData, rows: Int32Array): readonly Int32Array[] {
  if (!data.sampledFrom) return [rows];
  const starts = [...rows.keys()].filter((i) => i === 0 || !comesNext(data, rows[i - 1], rows[i]));
  return starts.map((from, i) => rows.slice(from, starts[i + 1]));
}
