import { chainsOf } from './chains.ts';
import { countsOf } from './scores.ts';
import type { Blocks, LabelledTrials, Links } from './types.ts';

/** Units: trials that count as one piece of evidence. */
export interface Units {
  /** Unit of each trial for folds and bootstrap; null: each trial is its own unit. */
  readonly heldOut: Int32Array | null;
  /** Unit of each trial for permutations, each of one class; null: each trial is its own unit. */
  readonly shuffled: Int32Array | null;
  /** Number of pieces into which overlong chains were cut. */
  readonly pieces: number;
}

/** A chain with more than this fraction of a class is cut into pieces. */
const most = 0.5;
/** Most pieces of a chain, and the least length of a piece as a multiple of the overlap. */
const pieces = { most: 10, times: 3 } as const;

/**
 * Units of trials. Linked trials are one unit. A chain with most of a class is cut into consecutive pieces; at their
 * ends a fold leaves training trials out (see `createPurge`). If the labels come in blocks, the blocks are the units. A
 * permutation shuffles labels of runs of one class along a chain, or of blocks.
 */
export function unitsOf(data: LabelledTrials, blocks: Blocks | null): Units {
  const { labels, links } = data;
  if (!links && !blocks) return { heldOut: null, shuffled: null, pieces: 0 };
  const runs = joined(labels.length);
  const whole = joined(labels.length);
  let cuts = 0;
  for (const rows of links ? chainsOf(links) : []) {
    const size = tooLong(data, rows) ? pieceOf(links!, rows) : rows.length;
    cuts += size < rows.length ? Math.ceil(rows.length / size) : 0;
    rows.slice(1).forEach((row, i) => {
      if (labels[row] === labels[rows[i]]) runs.join(rows[i], row);
      if ((i + 1) % size !== 0) whole.join(rows[i], row);
    });
  }
  if (!blocks) return { heldOut: whole.of(), shuffled: runs.of(), pieces: cuts };
  const firstOf = new Map<number, number>();
  blocks.of.forEach((block, row) => {
    const first = firstOf.get(block);
    if (first === undefined) firstOf.set(block, row);
    else runs.join(first, row);
  });
  return { heldOut: runs.of(), shuffled: runs.of(), pieces: 0 };
}

function tooLong({ labels, classes }: LabelledTrials, rows: readonly number[]): boolean {
  const all = countsOf(labels, classes.length);
  const own = countsOf(
    Int32Array.from(rows, (row) => labels[row]),
    classes.length,
  );
  return own.some((count, k) => count > most * all[k]);
}

/** Trials in a piece of a chain; all of them if the chain is too short to be cut. */
function pieceOf({ at, seconds }: Links, rows: readonly number[]): number {
  const steps = rows.slice(1).map((row, i) => at[row] - at[rows[i]]);
  const mean = steps.reduce((a, b) => a + b, 0) / steps.length;
  const overlapping = Math.max(1, Math.ceil(seconds / Math.max(mean, 1e-9)) - 1);
  const count = Math.min(pieces.most, Math.floor(rows.length / (pieces.times * overlapping)));
  return count < 2 ? rows.length : Math.ceil(rows.length / count);
}

/** Disjoint sets of trials (union–find; Galler & Fischer 1964, Commun. ACM 7). */
function joined(trials: number): { join(a: number, b: number): void; of(): Int32Array } {
  const parent = Int32Array.from({ length: trials }, (_, t) => t);
  const rootOf = (trial: number): number => {
    let at = trial;
    while (parent[at] !== at) at = parent[at] = parent[parent[at]];
    return at;
  };
  return {
    join(a, b) {
      const [x, y] = [rootOf(a), rootOf(b)];
      parent[Math.max(x, y)] = Math.min(x, y);
    },
    of: () => Int32Array.from(parent, (_, t) => rootOf(t)),
  };
}
