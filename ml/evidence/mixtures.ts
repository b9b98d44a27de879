import { lossTable } from './loss-table.ts';
import type { LossTable } from './loss-table.ts';
import { doubtOf, trialLosses } from './scores.ts';
import type { Poolable } from './selection.ts';

/** A probability counts as this at least. */
export const least = 1e-300;
/** Temperature of a pool to begin with: a mean of calibrated probabilities is too cautious rather than too bold. */
const cautious = 0.7;
/** Probabilities that are kept of the mixtures of one set of trials. */
const most = 4_000_000;

/** Probabilities [trials × classes] of the pool of some weights in each of the first passes. */
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
    for (const { weight, tables } of members) {
      const table = tables[p];
      for (let i = 0; i < out.length; i += 1) out[i] += weight * table[i];
    }
    return out;
  });
}

/** Tables of losses by what they mix, of the labels that they were made for; they go when the candidate goes. */
const made = new WeakMap<Poolable, { readonly labels: Int32Array; readonly tables: Map<string, LossTable> }>();
const numbers = new WeakMap<Poolable, number>();
let numbered = 0;

function numberOf(candidate: Poolable): number {
  if (!numbers.has(candidate)) numbers.set(candidate, (numbered += 1));
  return numbers.get(candidate)!;
}

/**
 * Log-loss of each trial in the pool of some weights at each temperature, averaged over the passes. They do not depend
 * on how often a bootstrap sample drew a trial, and samples often agree on what they mix: such share one table.
 */
export function mixtureLosses(
  candidates: readonly Poolable[],
  weights: readonly number[],
  temperatures: readonly number[],
  labels: Int32Array,
  classes: number,
): LossTable {
  const members = [...weights.keys()].filter((c) => weights[c] > 0);
  const first = candidates[members[0]];
  const { passWeights } = first;
  let own = made.get(first);
  if (own?.labels !== labels) made.set(first, (own = { labels, tables: new Map() }));
  const key = members.flatMap((c) => [numberOf(candidates[c]), weights[c], temperatures[c]]).join();
  const known = own.tables.get(key);
  if (known) return known;
  if (own.tables.size * labels.length * classes * passWeights.length > most) own.tables.clear();
  const logs = mixtures(candidates, weights, temperatures, passWeights.length);
  for (const log of logs) for (let i = 0; i < log.length; i += 1) log[i] = Math.log(Math.max(log[i], least));
  const losses = lossTable((temperature) => {
    const sum = new Float64Array(labels.length);
    logs.forEach((log, p) => {
      const each = trialLosses(log, labels, classes, temperature, doubtOf(labels.length));
      for (let i = 0; i < sum.length; i += 1) sum[i] += passWeights[p] * each[i];
    });
    return sum;
  }, cautious);
  own.tables.set(key, losses);
  return losses;
}
