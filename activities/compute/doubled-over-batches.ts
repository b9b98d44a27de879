import type { TrainingData } from '../../ml/train/index.ts';
import { warningSentence } from '../../ml/warning-sentences.ts';

/** The warning names this many pairs. */
const namedPairs = 4;
/** Values compared first; trials that agree in them are compared completely. */
const probeValues = 8;

/** Batch and row of each trial of a fit. */
export interface Origins {
  readonly batch: Int32Array;
  readonly row: Int32Array;
}

/** The values of one trial in each feature set. */
const rowsOf = ({ features: { sets, trials } }: Pick<TrainingData, 'features'>, row: number): Float64Array[] =>
  Object.values(sets).map((table) => {
    const width = table.length / trials;
    return table.subarray(row * width, (row + 1) * width);
  });

const areEqual = (a: readonly Float64Array[], b: readonly Float64Array[]): boolean =>
  a.every((values, set) => values.length === b[set].length && values.every((value, i) => value === b[set][i]));

function keyOf(rows: readonly Float64Array[]): string {
  const [values] = rows;
  const step = Math.max(1, Math.floor(values.length / probeValues));
  return Array.from({ length: Math.min(probeValues, values.length) }, (_, i) => values[i * step]).join();
}

/** Pairs of equal trials of two batches. Each duplicate is paired with the first equal trial. */
function doubledRows(data: TrainingData, { batch }: Origins): (readonly [first: number, copy: number])[] {
  const firstRows = new Map<string, number>();
  const pairs: (readonly [number, number])[] = [];
  for (let row = 0; row < data.features.trials; row += 1) {
    const rows = rowsOf(data, row);
    const key = keyOf(rows);
    const first = firstRows.get(key);
    if (first === undefined) firstRows.set(key, row);
    else if (batch[first] !== batch[row] && areEqual(rowsOf(data, first), rows)) pairs.push([first, row]);
  }
  return pairs;
}

/**
 * Warnings about trials that were sent in two batches, for example because a batch was sent again. They name trials by
 * batch and row. Empty if there are none. They contain no label.
 */
export function doubledOverBatches(data: TrainingData, origins: Origins): string[] {
  const pairs = doubledRows(data, origins);
  if (pairs.length === 0) return [];
  const nameOf = (row: number): string => `trial ${origins.row[row]} of batch ${origins.batch[row] + 1}`;
  const shown = pairs.slice(0, namedPairs).map(([first, copy]) => `${nameOf(copy)} = ${nameOf(first)}`);
  const differing = pairs.filter(([first, copy]) => data.labels[first] !== data.labels[copy]).length;
  return [
    [
      warningSentence('doubled_over_batches', {
        pairs: shown.join(', ') + (pairs.length > namedPairs ? ` and ${pairs.length - namedPairs} more` : ''),
      }),
      ...(differing > 0 ? [warningSentence('differing_labels', { count: differing })] : []),
    ].join(' '),
  ];
}
