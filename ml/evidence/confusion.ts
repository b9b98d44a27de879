import { confusionMatrix, decisions } from './scores.ts';
import type { CandidateScore, FoldPlan, LabelledTrials } from './types.ts';

/** Confusion counts [true class × predicted class] and the recall of each class, averaged over the evidence passes. */
export function meanConfusion(
  { outOfFold }: Pick<CandidateScore, 'outOfFold'>,
  { labels, classes: { length: classes } }: Pick<LabelledTrials, 'labels' | 'classes'>,
  { evidencePasses: passes }: Pick<FoldPlan, 'evidencePasses'>,
): { counts: number[][]; recalls: number[] } {
  const size = labels.length * classes;
  const counts = Array.from({ length: classes }, () => Array.from({ length: classes }, () => 0));
  for (let p = 0; p < passes; p += 1) {
    const own = decisions(outOfFold.subarray(p * size, (p + 1) * size), classes);
    confusionMatrix(own, labels, classes).forEach((row, k) =>
      row.forEach((count, j) => (counts[k][j] += count / passes)),
    );
  }
  const recallOf = (row: readonly number[], k: number): number =>
    row[k] /
    Math.max(
      1e-12,
      row.reduce((a, b) => a + b, 0),
    );
  return { counts, recalls: counts.map(recallOf) };
}
