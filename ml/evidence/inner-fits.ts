import { deal, dealUnits, hasEveryClass } from './dealing.ts';
import { firstPass } from './drawn-folds.ts';
import type { Purge } from './purge.ts';
import type { Fold, InnerFit, LabelledTrials } from './types.ts';

/**
 * Up to this many trials (or units of linked trials) the choice is repeated inside every fold (nested validation). A
 * trial that trains the fit which tests another trial correlates their results, and a choice among many candidates
 * profits from that correlation. Units may contain several trials each, which makes fits slower.
 */
const nested = { units: 120, trialsPerUnit: 4, folds: 5 } as const;

const without = (rows: Int32Array, gone: Int32Array): Int32Array => {
  const out = new Set(gone);
  return rows.filter((row) => !out.has(row));
};

/**
 * Inner fits of nested validation. A fit without two folds serves both. If there are only two folds, or such a fit
 * would lack a class, the training trials of each fold are split in three. `purge` removes trials that overlap a fold
 * from its training and test trials. Empty if trials are many, or if there are too few units for such fits.
 */
export function innerFits(
  data: LabelledTrials,
  all: readonly Fold[],
  units: Int32Array | null,
  purge: Purge,
): InnerFit[] {
  const folds = firstPass({ folds: all });
  const trials = data.labels.length;
  const pieces = units ? new Set(units).size : trials;
  if (pieces > nested.units || trials > nested.trialsPerUnit * nested.units || folds.length > nested.folds) return [];
  if (folds.length > 2) {
    const pairs = folds.flatMap((a, i) =>
      folds.slice(i + 1).map((b, at): InnerFit => ({
        train: purge(without(a.train, b.test), b.test),
        tests: [
          { rows: purge(b.test, a.test), outer: i },
          { rows: purge(a.test, b.test), outer: i + 1 + at },
        ],
      })),
    );
    if (pairs.every(({ train }) => hasEveryClass(data, train))) return pairs;
  }
  const split = (rows: Int32Array, outer: number): Int32Array[] =>
    units
      ? dealUnits(units, data.labels, rows, 3, 101 + outer)
      : deal(
          data.classes.map((_, k) => Array.from(rows).filter((row) => data.labels[row] === k)),
          3,
          101 + outer,
        );
  const fits = folds.flatMap((fold, outer) =>
    split(fold.train, outer).map((rows): InnerFit => ({
      train: purge(without(fold.train, rows), rows),
      tests: [{ rows, outer }],
    })),
  );
  return units && !fits.every(({ train }) => hasEveryClass(data, train)) ? [] : fits;
}
