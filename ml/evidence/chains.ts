import type { Fingerprints } from '../types.ts';
import { joinFingerprints } from '../fingerprints.ts';
import { rowsBy } from './dealing.ts';
import { takeRows, valuesAt } from '../rows.ts';
import { toEnd } from '../steps.ts';
import type { Steps } from '../steps.ts';
import { findLinks } from './links.ts';
import { nearCopiesInSteps } from './near-copies.ts';
import type { Links } from './types.ts';

/** Trials of one request or batch. */
export interface FingerprintedTrials {
  readonly trials: number;
  /** Absent in batches that were stored before fingerprints existed: their trials are never linked. */
  readonly fingerprints?: Fingerprints;
}

/** Two trials begin at the same place if their distance is below this fraction of a trial. */
const samePlace = 1e-6;

/**
 * Chains of trials that overlap in the recording, or are altered copies of one another, over all parts in order, and
 * the start of each trial in its chain. Null if no two trials are linked. Parts are compared only with parts of the
 * same rate and length. Yields between the blocks of trials that are compared.
 */
export function* linksInSteps(parts: readonly FingerprintedTrials[]): Steps<Links | null> {
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
  const join = (earlier: number, later: number, lag: number): boolean => {
    const [a, b] = [rootOf(earlier), rootOf(later)];
    if (a.root === b.root) return false;
    parent[b.root] = a.root;
    offset[b.root] = a.seconds + lag - b.seconds;
    return true;
  };
  const altered = new Uint8Array(total);
  let seconds = 0;
  for (const { rows, prints } of alike(parts)) {
    seconds = Math.max(seconds, prints.samples / prints.rateHz);
    for (const { earlier, later, lag } of findLinks(prints)) join(rows[earlier], rows[later], lag / prints.rateHz);
    yield;
    for (const [a, b] of yield* nearCopiesInSteps(prints))
      if (join(rows[a], rows[b], 0)) altered[rows[a]] = altered[rows[b]] = 1;
  }
  const at = Float64Array.from(parent, (_, t) => rootOf(t).seconds);
  const sizes = new Int32Array(total);
  for (const root of parent) sizes[root] += 1;
  if (sizes.every((size) => size < 2)) return null;
  const chain = parent.map((root) => (sizes[root] > 1 ? root : -1));
  return { chain, at, seconds, ...(altered.includes(1) && { altered }) };
}

/** `linksInSteps` without pauses. */
export const linksOf = (parts: readonly FingerprintedTrials[]): Links | null => toEnd(linksInSteps(parts));

/** The fingerprints of all parts of one rate and length, joined, and the trial of each. */
function alike(parts: readonly FingerprintedTrials[]): { rows: number[]; prints: Fingerprints }[] {
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

/** Levels of the trials of all parts (see `Fingerprints`); null if the parts cannot be compared. */
export function levelsOf(parts: readonly FingerprintedTrials[]): Float32Array | null {
  const forms = alike(parts);
  const all = parts.reduce((sum, { trials }) => sum + trials, 0);
  return forms.length === 1 && forms[0].rows.length === all ? forms[0].prints.levels : null;
}

/** Links of the trials at `rows`. */
export const linksAt = (links: Links | null, rows: Int32Array): Links | null =>
  links && {
    ...links,
    chain: valuesAt(links.chain, rows),
    at: takeRows(links.at, 1, rows),
    ...(links.altered && { altered: Uint8Array.from(rows, (row) => links.altered![row]) }),
  };

/** Trials of each chain, from its beginning to its end. */
export function chainsOf({ chain, at }: Links): number[][] {
  const linked = [...chain.keys()].filter((row) => chain[row] >= 0);
  return [...rowsBy(chain, linked).values()].map((rows) => rows.sort((a, b) => at[a] - at[b] || a - b));
}

/** True if two trials of one chain begin at the same place: they are copies. */
export const sameTrial = ({ at, seconds }: Links, a: number, b: number): boolean =>
  Math.abs(at[a] - at[b]) < samePlace * seconds;

/** True if two trials of one chain overlap. */
export const overlap = ({ at, seconds }: Links, a: number, b: number): boolean =>
  Math.abs(at[a] - at[b]) < (1 - samePlace) * seconds;

type Pairs = [number, number][];

/** Pairs of neighbours in a chain: copies (`same`), likely copies (`altered`), and trials that overlap in part. */
export function linkedPairs(links: Links): { same: Pairs; altered: Pairs; overlapping: Pairs } {
  const { altered: isAltered } = links;
  const same: Pairs = [];
  const altered: Pairs = [];
  const overlapping: Pairs = [];
  for (const rows of chainsOf(links)) {
    let first = rows[0];
    for (const row of rows.slice(1)) {
      if (sameTrial(links, first, row)) (isAltered?.[row] || isAltered?.[first] ? altered : same).push([first, row]);
      else {
        if (overlap(links, first, row)) overlapping.push([first, row]);
        first = row;
      }
    }
  }
  for (const pairs of [same, altered, overlapping]) pairs.sort((a, b) => a[1] - b[1]);
  return { same, altered, overlapping };
}
