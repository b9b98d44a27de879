import { deal, dealUnits, hasEveryClass, rowsBy } from './dealing.ts';
import type { Purge } from './purge.ts';
import type { Fold, FoldPlan, LabelledTrials } from './types.ts';

/** Parts of a stratified split. */
export const splits = 5;

/** What the folds must respect in addition to the labels. */
export interface Drawn {
  readonly data: LabelledTrials;
  /** See `FoldPlan`. */
  readonly units: Int32Array | null;
  readonly purge: Purge;
}

/** One fold for each part: the part is tested, and all other trials that do not overlap it train. */
export function foldsFrom(
  parts: readonly Int32Array[],
  { data, purge }: Pick<Drawn, 'data' | 'purge'>,
  pass: number,
  names: readonly (readonly string[])[],
): Fold[] {
  return parts.map((test, i) => {
    const tested = new Uint8Array(data.labels.length);
    for (const row of test) tested[row] = 1;
    const others = Int32Array.from(tested.keys()).filter((row) => !tested[row]);
    return { train: purge(others, test), test, pass, heldOut: names[i] ?? [] };
  });
}

/** Passes of stratified folds, numbered from `from`. A split of units that equals an earlier one is left out. */
export function stratified(design: Drawn, passes: number, from: number, bySession: boolean): Fold[] {
  const { data, units } = design;
  const { labels, sessions, classes } = data;
  const keys = bySession && sessions ? labels.map((label, i) => label + classes.length * sessions[i]) : labels;
  const strata = [...rowsBy(keys)].sort(([a], [b]) => a - b).map(([, rows]) => rows);
  const seen = new Set<string>();
  const all: Int32Array[][] = [];
  for (let pass = from; pass < from + passes; pass += 1) {
    const parts = units ? dealUnits(units, keys, keys.keys(), splits, pass) : deal(strata, splits, pass);
    const split = units ? parts.map(String).sort().join(';') : String(pass);
    if (!seen.has(split)) all.push(parts);
    seen.add(split);
  }
  return all.flatMap((parts, i) => foldsFrom(parts, design, from + i, []));
}

/** Five-fold splits of the trials of all sessions together, stratified by class and session. */
export const mixedFolds = (data: LabelledTrials, passes: number, from: number): Fold[] =>
  stratified({ data, units: null, purge: (rows) => rows }, passes, from, true);

/** The folds that test every trial once. */
export const firstPass = ({ folds }: Pick<FoldPlan, 'folds'>): Fold[] => folds.filter(({ pass }) => pass === 0);

/** How many times every trial is tested. */
export const passesIn = (folds: readonly Fold[]): number => new Set(folds.map(({ pass }) => pass)).size;

/**
 * True if every part can be held out: the other trials have two of each class, and some part has more than one class.
 */
export function canHoldOut(data: LabelledTrials, folds: readonly Fold[]): boolean {
  const mixed = folds.some((fold) => new Set(Array.from(fold.test, (row) => data.labels[row])).size > 1);
  return mixed && folds.every((fold) => hasEveryClass(data, fold.train));
}
