import { runsTest } from './runs-test.ts';
import type { LabelledTrials } from './types.ts';

/** Labels that come in blocks: what drifts through a recording then differs between the classes. */
export interface Blocks {
  /** Block of each trial: trials of one class that follow each other, within a session where there are some. */
  readonly of: Int32Array;
  /** Blocks of each class. */
  readonly perClass: readonly number[];
  readonly count: number;
  /** Runs of one label that the same labels would have in random order. */
  readonly expected: number;
  /** Whether every session has its classes in one and the same order; false without sessions. */
  readonly sameOrder: boolean;
}

/**
 * Blocks of trials in the order in which they came; null where the labels are in no order that chance would not give
 * (see `runsTest`). Each session is an order of its own; sessions of one class each follow one another in one.
 */
export function blocksOf({ labels, sessions, classes }: LabelledTrials): Blocks | null {
  const rows = Array.from(labels.keys());
  const own = sessions ? Map.groupBy(rows, (row) => sessions[row]) : new Map([[0, rows]]);
  const labelsAt = (list: readonly number[]): number[] => list.map((row) => labels[row]);
  const mixed = [...own.values()].filter((list) => new Set(labelsAt(list)).size > 1);
  const single = [...own.values()]
    .filter((list) => !mixed.includes(list))
    .flat()
    .sort((a, b) => a - b);
  const { blocked, expected } = runsTest([...mixed, single].map(labelsAt));
  if (!blocked) return null;
  const of = new Int32Array(labels.length);
  const perClass = classes.map(() => 0);
  let count = 0;
  for (const list of own.values())
    list.forEach((row, i) => {
      if (i === 0 || labels[row] !== labels[list[i - 1]]) {
        perClass[labels[row]] += 1;
        count += 1;
      }
      of[row] = count - 1;
    });
  const orders = new Set(mixed.map((list) => [...new Set(labelsAt(list))].join()));
  return { of, perClass, count, expected, sameOrder: mixed.length > 1 && orders.size === 1 };
}
