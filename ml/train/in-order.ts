import { firstPass } from '../evidence/learning-curve.ts';
import { readInOrder, sequenceOf, stagesFollow } from '../methods/sequence.ts';
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
  const out = answerAt(currentAnswer()).softmax(aligned, classes, temperature);
  for (const { train, test } of firstPass(plan)) {
    const sequence = sequenceOf(data, train);
    if (!sequence) continue;
    for (const group of new Set(test.map((row) => groups?.[row] ?? 0))) {
      const rows = test.filter((row) => (groups?.[row] ?? 0) === group);
      const own = new Float64Array(rows.length * classes);
      rows.forEach((row, i) => own.set(out.subarray(row * classes, (row + 1) * classes), i * classes));
      const read = readInOrder(own, sequence);
      rows.forEach((row, i) => out.set(read.subarray(i * classes, (i + 1) * classes), row * classes));
    }
  }
  return out;
}
