import { linkedPairs } from './chains.ts';
import { rowsBy } from './dealing.ts';
import { percent } from './percent.ts';
import { countsOf } from './scores.ts';
import { unitsOf } from './units.ts';
import type { Blocks, LabelledTrials, Links } from './types.ts';

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
  const counts = (pairs: readonly [number, number][], what: string): string => {
    const rows = new Set(pairs.flat());
    const groups = new Set(Array.from(rows, (row) => links.chain[row])).size;
    return `${rows.size} of ${trials} trials ${what} (${groups} group${groups === 1 ? '' : 's'} in all): ${kept}.`;
  };
  return [
    ...(overlapping.length > 0
      ? [
          `Overlap: ${counts(overlapping, 'share a stretch of the recording with another trial')} ` +
            'They tell less than as many trials of their own would.',
        ]
      : []),
    ...(same.length > 0
      ? [`The same trial twice: ${counts(same, 'hold the same signal as another')} Leave the copies out.`]
      : []),
    ...(altered.length > 0
      ? [
          `Augmented copies: ${counts(altered, 'are likely altered copies of another trial or mixed from it')} ` +
            'Noise, another sign, filter or reference, a reversal or a stretch in time do not make a new trial. ' +
            'Send the trials as they were recorded.',
        ]
      : []),
  ];
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
  return (
    'No trials can be held out that overlap none of the others: nearly all trials of a class share one stretch of the ' +
    'recording, or are copies of one trial. Independent groups of trials: ' +
    `${named.join(', ')}${groups.length > 5 ? ', …' : ''}; each class needs two or more. The score repeats what the ` +
    'fits have seen, and neither a corrected score nor a p-value is given. Send epochs that do not overlap, as recorded.'
  );
}

/** Limit of sessions of one class each. */
export const oneClassEach =
  'Every session holds one class only: whatever differs between the sessions (time, electrodes, drift) differs ' +
  'between the classes too. The score cannot show which of the two the model reads. Neither a corrected score nor a ' +
  'p-value is given. Record every class in each session.';

/** Sessions that were found in the signal, with the range of the share of one class. */
export function hiddenSessionsFound({ labels, classes, sessions, foundSessions = [] }: LabelledTrials): string {
  const counts = [...rowsBy(sessions!).values()].map((rows) => rows.map((row) => labels[row]));
  const shares = classes.map((_, k) => counts.map((own) => own.filter((label) => label === k).length / own.length));
  const range = (own: readonly number[]): number => Math.max(...own) - Math.min(...own);
  const widest = shares.reduce((best, own, k) => (range(own) > range(shares[best]) ? k : best), 0);
  return (
    `Hidden sessions: the recording changes at trial ${foundSessions.slice(1, 9).join(', ')}` +
    `${foundSessions.length > 9 ? ', …' : ''}, and the ${foundSessions.length} parts have different shares of the ` +
    `classes (${classes[widest]}: ${percent(Math.min(...shares[widest]))} to ${percent(Math.max(...shares[widest]))}). ` +
    'Several people or recordings sent as one look like this. The parts are treated as sessions. Name your `sessions`.'
  );
}

const blockCounts = ({ classes }: LabelledTrials, { perClass }: Blocks): string =>
  classes
    .slice(0, 5)
    .map((name, k) => `${name}: ${perClass[k]}`)
    .join(', ') + (classes.length > 5 ? ', …' : '');

/** Why there is no evidence if some class has only one block (Li et al. 2021, IEEE TPAMI 43). */
export const classInOneBlock = (data: LabelledTrials, blocks: Blocks): string =>
  `The labels come in ${blocks.count} blocks (${blockCounts(data, blocks)}), in the order of the trials: a shuffled ` +
  `order would have about ${Math.round(blocks.expected)} runs. Drift in a recording (electrodes, ` +
  'tiredness, the room) then differs between the classes too. If a class has one block only, no folds can separate ' +
  'class and drift. Neither a corrected score nor a p-value is given, and the score may come from the drift. If you ' +
  'sorted the trials by class, send them in the order recorded, or name their `sessions`. If you recorded them in ' +
  'blocks, record each class in two blocks or more, in changing order.';

/** Whole blocks are held out; gives the lowest p-value that their number allows. */
export function blocksHeldOut(data: LabelledTrials, blocks: Blocks): string {
  const lowest = Math.max(0.001, 1 / arrangements(blocks.perClass));
  return (
    `The labels come in ${blocks.count} blocks (${blockCounts(data, blocks)}), in the order of the trials, where a ` +
    `shuffled order would have about ${Math.round(blocks.expected)} runs: whole blocks are held out, because trials ` +
    'of one block resemble one another, and the p-value shuffles the labels of blocks' +
    (lowest > 0.01 ? `, which cannot come below ${Math.round(lowest * 100) / 100} with so few blocks.` : '.')
  );
}

/** Labels come in blocks within the held-out sessions. */
export const blocksInSessions = (data: LabelledTrials, blocks: Blocks): string =>
  `Within the sessions the labels come in ${blocks.count} blocks (${blockCounts(data, blocks)}), where a shuffled ` +
  `order would have about ${Math.round(blocks.expected)} runs: the p-value shuffles the labels of blocks. ` +
  (blocks.sameOrder
    ? 'The classes follow each other in the same order in every session. A drift that comes back in each session ' +
      'then looks like the class. Change the order from session to session.'
    : 'A drift that comes back in each session may look like the class.');

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
