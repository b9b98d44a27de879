import type { ChartTable } from './figure.tsx';
import { rounded } from './words.ts';

export interface ConfusionCell {
  readonly row: number;
  readonly column: number;
  readonly count: number;
  /** Fraction of the row, 0 to 1; 0 in a row without trials. */
  readonly fraction: number;
}

/** Cells of a confusion matrix, shaded by their fraction of the row. */
export function confusionCells(counts: readonly (readonly number[])[]): ConfusionCell[] {
  return counts.flatMap((line, row) => {
    const total = line.reduce((sum, count) => sum + count, 0);
    return line.map((count, column) => ({ row, column, count, fraction: total > 0 ? count / total : 0 }));
  });
}

/** The confusion matrix as a table with class names, for screen readers. */
export const confusionTable = (labels: readonly string[], counts: readonly (readonly number[])[]): ChartTable => ({
  head: ['True class \\ label', ...labels],
  rows: labels.map((label, i) => [label, ...counts[i].map((count) => rounded(count, 1))]),
});
