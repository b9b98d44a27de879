import type { ChartTable } from './figure.tsx';
import { rounded } from './words.ts';

export interface ConfusionCell {
  readonly row: number;
  readonly column: number;
  readonly count: number;
  /** Share of the row, between 0 and 1; 0 in a row without trials. */
  readonly share: number;
}

/** Cells of a confusion matrix, shaded by the share of their row. */
export function confusionCells(counts: readonly (readonly number[])[]): ConfusionCell[] {
  return counts.flatMap((line, row) => {
    const total = line.reduce((sum, count) => sum + count, 0);
    return line.map((count, column) => ({ row, column, count, share: total > 0 ? count / total : 0 }));
  });
}

/** The same with names, for those who read it. */
export const confusionTable = (labels: readonly string[], counts: readonly (readonly number[])[]): ChartTable => ({
  head: ['Sent \\ answered', ...labels],
  rows: labels.map((label, i) => [label, ...counts[i].map((count) => rounded(count, 1))]),
});
