import type { Fingerprints } from '../types.ts';
import { joinFingerprints } from '../fingerprints.ts';
import { rowsBy } from './dealing.ts';
import { takeRows, valuesAt } from '../rows.ts';
import { findLinks } from './links.ts';
import type { Links } from './types.ts';

/** Trials of one request or batch. */
export interface Part {
  readonly trials: number;
  /** Absent in batches that were stored before they were taken: nothing links their trials. */
  readonly fingerprints?: Fingerprints;
}

/** Two trials begin at one place when they are closer than this part of a trial. */
const samePlace = 1e-6;

/**
 * Chains of trials that share a stretch of the recording, over all parts in order, and where in its chain each trial
 * begins; null where no two trials do. Parts of another rate or length are compared with their like only.
 */
export function linksOf(parts: readonly Part[]): Links | null {
  const total = parts.reduce((sum, { trials }) => sum + trials, 0);
  const parent = Int32Array.from({ length: total }, (_, t) => t);
  /** Seconds from the beginning of the parent's trial. */
  const offset = new Float64Array(total);
  const rootOf = (trial: number): { root: number; seconds: number } => {
    let root = trial;
    let seconds = 0;
    for (; parent[root] !== root; root = parent[root]) seconds += offset[root];
    if (root !== trial) [parent[trial], offset[trial]] = [root, seconds];
    return { root, seconds };
  };
  let seconds = 0;
  for (const { rows, prints } of alike(parts)) {
    seconds = Math.max(seconds, prints.samples / prints.rateHz);
    for (const { earlier, later, lag } of findLinks(prints)) {
      const [a, b] = [rootOf(rows[earlier]), rootOf(rows[later])];
      if (a.root === b.root) continue;
      parent[b.root] = a.root;
      offset[b.root] = a.seconds + lag / prints.rateHz - b.seconds;
    }
  }
  const at = Float64Array.from(parent, (_, t) => rootOf(t).seconds);
  const sizes = new Int32Array(total);
  for (const root of parent) sizes[root] += 1;
  if (sizes.every((size) => size < 2)) return null;
  const chain = parent.map((root) => (sizes[root] > 1 ? root : -1));
  return { chain, at, seconds };
}

/** Fingerprints of the parts of one rate and length together, and which trials theirs are. */
function alike(parts: readonly Part[]): { rows: number[]; prints: Fingerprints }[] {
  const forms = new Map<string, { rows: number[]; parts: Parameters<typeof joinFingerprints>[0][number][] }>();
  let before = 0;
  for (const { trials, fingerprints: prints } of parts) {
    const rows = Array.from({ length: trials }, (_, t) => t);
    if (prints) {
      const form = `${prints.samples} at ${prints.rateHz}`;
      const known = forms.get(form) ?? { rows: [], parts: [] };
      forms.set(form, known);
      known.parts.push({ prints, rows });
      for (const row of rows) known.rows.push(before + row);
    }
    before += trials;
  }
  return [...forms.values()].map(({ rows, parts: [first, ...others] }) => ({
    rows,
    prints: others.length === 0 ? first.prints : joinFingerprints([first, ...others]),
  }));
}

/** Links of some of the trials. */
export const linksAt = (links: Links | null, rows: Int32Array): Links | null =>
  links && {
    ...links,
    chain: valuesAt(links.chain, rows),
    at: takeRows(links.at, 1, rows),
  };

/** Trials of each chain, from its beginning to its end. */
export function chainsOf({ chain, at }: Links): number[][] {
  const linked = [...chain.keys()].filter((row) => chain[row] >= 0);
  return [...rowsBy(chain, linked).values()].map((rows) => rows.sort((a, b) => at[a] - at[b] || a - b));
}

/** Whether two trials of one chain begin at one place: the same trial twice. */
export const sameTrial = ({ at, seconds }: Links, a: number, b: number): boolean =>
  Math.abs(at[a] - at[b]) < samePlace * seconds;

/** Whether two trials of one chain share a stretch. */
export const overlap = ({ at, seconds }: Links, a: number, b: number): boolean =>
  Math.abs(at[a] - at[b]) < (1 - samePlace) * seconds;

/** What the links come to: pairs of neighbours in a chain that are one trial, or of which one begins in the other. */
export function linkedPairs(links: Links): { same: [number, number][]; overlapping: [number, number][] } {
  const same: [number, number][] = [];
  const overlapping: [number, number][] = [];
  for (const rows of chainsOf(links)) {
    let first = rows[0];
    for (const row of rows.slice(1)) {
      if (sameTrial(links, first, row)) same.push([first, row]);
      else {
        if (overlap(links, first, row)) overlapping.push([first, row]);
        first = row;
      }
    }
  }
  const order = (pairs: [number, number][]): [number, number][] => pairs.sort((a, b) => a[1] - b[1]);
  return { same: order(same), overlapping: order(overlapping) };
}
