import { linkedPairs } from './chains.ts';
import { rowsBy } from './dealing.ts';
import { percent } from './percent.ts';
import { countsOf } from './scores.ts';
import { unitsOf } from './units.ts';
import type { Blocks, LabelledTrials, Links } from './types.ts';
import { warningSentence } from '../warning-sentences.ts';

/** Warnings about linked trials and about labels in blocks, with numbers. */

/** How the folds treat linked trials: chains are cut into `pieces`; whole blocks are held out; nothing. */
export type Kept = { readonly pieces: number } | 'blocks' | 'nothing';

function foldTreatment(kept: Kept): string {
  if (kept === 'nothing') return 'no folds could keep them apart, so the score repeats what the fits have seen';
  const left = 'a training trial that overlaps a test trial is left out';
  if (kept === 'blocks') return `whole blocks are held out, and ${left}`;
  return kept.pieces > 0
    ? `a chain of them that is too long to be held out whole is cut into pieces (${kept.pieces} in all), and ${left}`
    : `all trials of a group stay in one fold, and ${left}`;
}

/** How many trials overlap, repeat others or are altered copies, and how the folds treat them. */
export function linkWarnings(links: Links, folds: Kept): string[] {
  const trials = links.chain.length;
  const { same, altered, overlapping } = linkedPairs(links);
  const kept = foldTreatment(folds);
  const warned = (
    code: 'overlap' | 'copies' | 'altered_copies',
    pairs: readonly (readonly [number, number])[],
  ): string[] => {
    if (pairs.length === 0) return [];
    const rows = new Set(pairs.flat());
    const groups = new Set(Array.from(rows, (row) => links.chain[row])).size;
    return [
      warningSentence(code, {
        count: rows.size,
        trials,
        groups: `${groups} group${groups === 1 ? '' : 's'}`,
        folds: kept,
      }),
    ];
  };
  return [...warned('overlap', overlapping), ...warned('copies', same), ...warned('altered_copies', altered)];
}

/** Independent groups of trials of each class: linked trials are one group. */
export function groupsPerClass({ labels, classes }: LabelledTrials, units: Int32Array): number[] {
  return classes.map((_, k) => new Set(units.filter((__, row) => labels[row] === k)).size);
}

/** Trials and independent groups of the smallest class, as text without labels. */
export function fewestPerClass(data: LabelledTrials): string {
  const groups = groupsPerClass(data, unitsOf(data, null).heldOut ?? Int32Array.from(data.labels.keys()));
  const trials = countsOf(data.labels, data.classes.length);
  return `at least ${Math.min(...trials)} trials and ${Math.min(...groups)} independent groups of trials each`;
}

/** Linked trials leave nothing to hold out. `units`: unit of each trial. */
export function nothingToHoldOut(data: LabelledTrials, units: Int32Array): string {
  const groups = groupsPerClass(data, units);
  const named = data.classes.slice(0, 5).map((name, k) => `${name}: ${groups[k]}`);
  return warningSentence('nothing_to_hold_out', {
    groups: `${named.join(', ')}${groups.length > 5 ? ', …' : ''}`,
  });
}

/** Limit of sessions of one class each. */
export const oneClassEach = warningSentence('one_class_each', {});

/** Sessions that were found in the signal, with the range of the share of one class. */
export function hiddenSessionsFound({ labels, classes, sessions, foundSessions = [] }: LabelledTrials): string {
  const counts = [...rowsBy(sessions!).values()].map((rows) => rows.map((row) => labels[row]));
  const shares = classes.map((_, k) => counts.map((own) => own.filter((label) => label === k).length / own.length));
  const range = (own: readonly number[]): number => Math.max(...own) - Math.min(...own);
  const widest = shares.reduce((best, own, k) => (range(own) > range(shares[best]) ? k : best), 0);
  return warningSentence('hidden_sessions', {
    places: foundSessions.slice(1, 9).join(', ') + (foundSessions.length > 9 ? ', …' : ''),
    parts: foundSessions.length,
    shares: `${classes[widest]}: ${percent(Math.min(...shares[widest]))} to ${percent(Math.max(...shares[widest]))}`,
  });
}

const blockValues = ({ classes }: LabelledTrials, { count, expected, perClass }: Blocks) => ({
  blocks: count,
  counts:
    classes
      .slice(0, 5)
      .map((name, k) => `${name}: ${perClass[k]}`)
      .join(', ') + (classes.length > 5 ? ', …' : ''),
  runs: Math.round(expected),
});

/** Why there is no evidence if some class has only one block (Li et al. 2021, IEEE TPAMI 43). */
export const classInOneBlock = (data: LabelledTrials, blocks: Blocks): string =>
  warningSentence('class_in_one_block', blockValues(data, blocks));

/** Whole blocks are held out; gives the lowest p-value that their number allows. */
export function blocksHeldOut(data: LabelledTrials, blocks: Blocks): string {
  const lowest = Math.max(0.001, 1 / arrangements(blocks.perClass));
  return warningSentence('blocks_held_out', {
    ...blockValues(data, blocks),
    lowest: lowest > 0.01 ? `, which cannot come below ${Math.round(lowest * 100) / 100} with so few blocks` : '',
  });
}

/** Labels come in blocks within the held-out sessions. */
export const blocksInSessions = (data: LabelledTrials, blocks: Blocks): string =>
  [
    warningSentence('blocks_in_sessions', blockValues(data, blocks)),
    warningSentence(blocks.sameOrder ? 'same_order_each_session' : 'drift_each_session', {}),
  ].join(' ');

/** Number of ways to assign the labels to the blocks. */
function arrangements(perClass: readonly number[]): number {
  let ways = 1;
  let placed = 0;
  for (const count of perClass)
    for (let i = 1; i <= count; i += 1) {
      placed += 1;
      ways *= placed / i;
    }
  return ways;
}
