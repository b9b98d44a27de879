import type { StoredBatch } from '../../infra/contract/fit-request.ts';

/** Pairs that the warning names one by one. */
const named = 4;
/** Numbers by which trials are found before they are compared whole. */
const probes = 8;

interface Place {
  readonly batch: number;
  readonly row: number;
}

const nameOf = ({ batch, row }: Place): string => `trial ${row} of batch ${batch + 1}`;

/** The numbers that a stored trial has become in each set of features. */
const rowsOf = ({ features: { sets, trials } }: StoredBatch, row: number): Float64Array[] =>
  Object.values(sets).map((table) => {
    const width = table.length / trials;
    return table.subarray(row * width, (row + 1) * width);
  });

const areEqual = (a: readonly Float64Array[], b: readonly Float64Array[]): boolean =>
  a.every((values, set) => values.length === b[set].length && values.every((value, i) => value === b[set][i]));

function keyOf(rows: readonly Float64Array[]): string {
  const [values] = rows;
  const step = Math.max(1, Math.floor(values.length / probes));
  return Array.from({ length: Math.min(probes, values.length) }, (_, i) => values[i * step]).join();
}

/** Trials of a batch that an earlier batch holds too, each with where it was first. Flat trials are left out. */
function doubledPlaces(batches: readonly StoredBatch[]): (readonly [first: Place, copy: Place])[] {
  const known = new Map<string, Place>();
  const pairs: (readonly [Place, Place])[] = [];
  batches.forEach((stored, batch) => {
    const flat = new Set(stored.flat);
    for (let row = 0; row < stored.features.trials; row += 1) {
      if (flat.has(row)) continue;
      const rows = rowsOf(stored, row);
      const key = keyOf(rows);
      const first = known.get(key);
      if (first === undefined) known.set(key, { batch, row });
      else if (first.batch !== batch && areEqual(rowsOf(batches[first.batch], first.row), rows))
        pairs.push([first, { batch, row }]);
    }
  });
  return pairs;
}

/**
 * What the report says of trials that were sent in two batches, a batch that was sent again above all: it names them
 * by their batches. Empty where there are none. It holds no label.
 */
export function doubledOverBatches(batches: readonly StoredBatch[]): string[] {
  const pairs = doubledPlaces(batches);
  if (pairs.length === 0) return [];
  const shown = pairs.slice(0, named).map(([first, copy]) => `${nameOf(copy)} = ${nameOf(first)}`);
  const labelOf = ({ batch, row }: Place): string => batches[batch].labels[row];
  const differing = pairs.filter(([first, copy]) => labelOf(first) !== labelOf(copy)).length;
  return [
    `Doubled trials: ${shown.join(', ')}${pairs.length > named ? ` and ${pairs.length - named} more` : ''} hold the ` +
      'same signal' +
      (batches.every(({ fingerprints }) => fingerprints)
        ? ': they stay in one fold where that can be done, and tell no more than one.'
        : ', so held-out trials repeat what the fit has seen and scores are too high.') +
      (differing > 0 ? ` ${differing} of these pairs have two different labels.` : '') +
      ' Collect the trials again without the copies; an Idempotency-Key keeps a batch that is sent again from being ' +
      'stored twice.',
  ];
}
