import { addScaled } from '../rows.ts';
import { lossTable } from './loss-table.ts';
import type { LossTable } from './loss-table.ts';
import { passLosses } from './scores.ts';
import type { Poolable } from './selection.ts';

/** Lower limit of a probability. */
export const least = 1e-300;
/** Start temperature of a pool: a mean of calibrated probabilities is underconfident. */
const cautious = 0.7;
/** Largest number of values cached for the mixtures of one set of trials. */
export const most = 4_000_000;

/** Probabilities [trials × classes] of the pool with these weights, for each of the first passes. */
export function mixtures(
  candidates: readonly Poolable[],
  weights: readonly number[],
  temperatures: readonly number[],
  passes: number,
): Float64Array[] {
  const members = candidates.flatMap((candidate, c) =>
    weights[c] > 0 ? [{ weight: weights[c], tables: candidate.probabilities(temperatures[c]) }] : [],
  );
  return Array.from({ length: passes }, (_, p) => {
    const out = new Float64Array(members[0].tables[p].length);
    for (const { weight, tables } of members) addScaled(out, tables[p], weight);
    return out;
  });
}

/** Cached results of one mixture. */
interface Mixed {
  losses?: LossTable;
  votes?: Float64Array;
}

/**
 * Cached mixtures of each first member, for the labels for which they were made. The cache goes when the candidate
 * goes.
 */
const made = new WeakMap<Poolable, { readonly labels: Int32Array; readonly mixed: Map<string, Mixed> }>();
const numbers = new WeakMap<Poolable, number>();
let numbered = 0;

function numberOf(candidate: Poolable): number {
  if (!numbers.has(candidate)) numbers.set(candidate, (numbered += 1));
  return numbers.get(candidate)!;
}

/**
 * Cached results of the pool with these weights. They do not depend on how often a bootstrap sample drew a trial, and
 * samples often agree on the members, so those samples use one cache entry.
 */
export function mixedOf(
  candidates: readonly Poolable[],
  weights: readonly number[],
  temperatures: readonly number[],
  labels: Int32Array,
  classes: number,
): Mixed {
  const members = [...weights.keys()].filter((c) => weights[c] > 0);
  const first = candidates[members[0]];
  let own = made.get(first);
  if (own?.labels !== labels) made.set(first, (own = { labels, mixed: new Map() }));
  const key = members.flatMap((c) => [numberOf(candidates[c]), weights[c], temperatures[c]]).join();
  const known = own.mixed.get(key);
  if (known) return known;
  if (own.mixed.size * labels.length * classes * first.passWeights.length > most) own.mixed.clear();
  const mixed: Mixed = {};
  own.mixed.set(key, mixed);
  return mixed;
}

function toLogarithms(probabilities: Float64Array): void {
  for (let i = 0; i < probabilities.length; i += 1) probabilities[i] = Math.log(Math.max(probabilities[i], least));
}

/** Log-loss of each trial in the pool with these weights at each temperature, averaged over the passes. */
export function mixtureLosses(
  candidates: readonly Poolable[],
  weights: readonly number[],
  temperatures: readonly number[],
  labels: Int32Array,
  classes: number,
): LossTable {
  const mixed = mixedOf(candidates, weights, temperatures, labels, classes);
  if (mixed.losses) return mixed.losses;
  const { passWeights } = candidates[weights.findIndex((weight) => weight > 0)];
  const logs = mixtures(candidates, weights, temperatures, passWeights.length);
  for (const log of logs) toLogarithms(log);
  const losses = lossTable((temperature) => passLosses(logs, passWeights, labels, classes, temperature), cautious);
  mixed.losses = losses;
  return losses;
}
