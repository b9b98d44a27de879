import { sideBySide } from '../rows.ts';
import { leastLoss } from './loss-table.ts';
import { least, mixedOf, mixtureLosses, mixtures, most } from './mixtures.ts';
import { decisions, expNonPositive, votesIn } from './scores.ts';
import { toleratedGap, pick } from './selection.ts';
import type { Evidence, Picked, Poolable } from './selection.ts';
import { pairedError, trialWeights } from './trial-weights.ts';

/** One table of log-scores in a mixture: divided by `temperature`, then weighted by `weight`. */
export interface Part {
  readonly weight: number;
  readonly temperature: number;
}

/** Number of candidates in a pool in addition to the picked one. */
const others = 5;

/**
 * Log-probabilities [rows × classes] of a linear opinion pool: the weighted arithmetic mean of the probabilities of
 * several tables of log-scores at their temperatures (Stone 1961, Ann. Math. Stat. 32). One temperature calibrates the
 * result again, because a mean of calibrated probabilities is not calibrated (Ranjan & Gneiting 2010, J. R. Stat. Soc.
 * B 72). A row of NaN stays NaN.
 */
export function mixLogScores(tables: readonly Float64Array[], parts: readonly Part[], classes: number): Float64Array {
  const out = new Float64Array(tables[0].length);
  tables.forEach((table, t) => {
    const { weight, temperature } = parts[t];
    for (let at = 0; at < table.length; at += classes) {
      let top = -Infinity;
      for (let k = 0; k < classes; k += 1) top = Math.max(top, table[at + k]);
      let sum = 0;
      for (let k = 0; k < classes; k += 1) sum += expNonPositive((table[at + k] - top) / temperature);
      for (let k = 0; k < classes; k += 1)
        out[at + k] += (weight * expNonPositive((table[at + k] - top) / temperature)) / sum;
    }
  });
  return out.map((value) => Math.log(Math.max(value, least)));
}

/**
 * Weights of the candidates in the pool around the picked one. It gets half. The five candidates of least log-loss,
 * which may include it, get equal parts of the other half. All others get 0.
 */
export function poolWeights(index: number, losses: readonly number[]): number[] {
  const best: number[] = [];
  for (let c = 0; c < losses.length; c += 1) {
    let place = best.length;
    while (place > 0 && losses[c] < losses[best[place - 1]]) place -= 1;
    if (place < others) best.splice(place, 0, c);
    if (best.length > others) best.pop();
  }
  const weights = Array<number>(losses.length).fill(0);
  for (const c of best) weights[c] = 0.5 / best.length;
  weights[index] += 0.5;
  return weights;
}

/** A choice among the candidates and their pool. */
export interface Decision extends Picked {
  /** Weight of each candidate in the pool; null if there is only one candidate. */
  readonly weights: readonly number[] | null;
  /**
   * Class-balanced, calibrated log-loss of the pool; NaN without a pool. In a (re)sample the calibration stops once it
   * is clear whether the pool is chosen.
   */
  readonly poolLoss: number;
  /** True if the pool was chosen: its log-loss is not clearly higher than that of the picked candidate. */
  readonly pooled: boolean;
}

/**
 * The candidate that `pick` returns, or the pool around it. Methods make different errors, so a mean of several is
 * seldom worse than one (Stone 1961), and the picked one owes part of its lead to luck. So the pool is chosen unless
 * its log-loss is higher by more than `toleratedGap`. The pool is a rule, not a fixed candidate: its members, their
 * temperatures and whether it is chosen follow from the trials that `weights` draws. A repeated choice, in a bootstrap
 * sample or without a fold, makes a new pool.
 */
export function decide(
  candidates: readonly Poolable[],
  labels: Int32Array,
  classes: number,
  weights: Float64Array | null,
): Decision {
  const weighting = trialWeights(labels, classes, weights);
  const picked = pick(candidates, weighting);
  if (candidates.length < 2) return { ...picked, weights: null, poolLoss: Number.NaN, pooled: false };
  const own = poolWeights(picked.index, picked.losses);
  const losses = mixtureLosses(candidates, own, picked.temperatures, labels, classes);
  const stopBelow = weights === null ? -Infinity : picked.losses[picked.index];
  const { index, loss: poolLoss } = leastLoss(losses, weighting, stopBelow);
  const behind = poolLoss - picked.losses[picked.index];
  const pooled = behind < toleratedGap(pairedError(losses.at(index), candidates[picked.index].ownLosses, weighting));
  return { ...picked, weights: own, poolLoss, pooled };
}

/**
 * Votes of the pool that other labels would give: around the candidate with the least log-loss against them, at the
 * temperatures of `decision`. The permutation test makes a new pool for each shuffle to correct for that choice.
 * Shuffles with the same members use the same votes.
 */
export function poolVotes(
  candidates: readonly Evidence[],
  { temperatures }: Decision,
  classes: number,
): (labels: Int32Array) => Float64Array {
  const losses = candidates.map(({ passWeights, probabilities }, c) => {
    const tables = probabilities(temperatures[c]);
    return tables[0].map((_, i) =>
      tables.reduce((sum, table, p) => sum - passWeights[p] * Math.log(Math.max(table[i], least)), 0),
    );
  });
  const made = new Map<string, Float64Array>();
  const side = sideBySide(losses);
  const count = losses.length;
  return (labels) => {
    const own = lossesAgainst(side, count, labels, classes);
    const weights = poolWeights(own.indexOf(Math.min(...own)), own);
    const key = membersKey(weights);
    const known = made.get(key);
    if (known) return known;
    if (made.size * losses[0].length > most) made.clear();
    const votes = pooledVotes(candidates, weights, temperatures, classes);
    made.set(key, votes);
    return votes;
  };
}

/** Text that differs between different weights; most weights are 0. */
function membersKey(weights: readonly number[]): string {
  let key = '';
  for (let c = 0; c < weights.length; c += 1) if (weights[c] > 0) key += `${c}:${weights[c]} `;
  return key;
}

/** Mean losses of `count` candidates against these labels, from losses side by side [trials × classes × count]. */
function lossesAgainst(side: Float64Array, count: number, labels: Int32Array, classes: number): number[] {
  const { weights: weightOf } = trialWeights(labels, classes, null);
  const losses = Array<number>(count).fill(0);
  for (let i = 0; i < weightOf.length; i += 1)
    for (let c = 0, at = (i * classes + labels[i]) * count; c < count; c += 1) losses[c] += weightOf[i] * side[at + c];
  return losses;
}

/** Votes [trials × classes] of a decision, as in `Evidence`. Votes of a pool are computed once. */
export function votesOf(
  decision: Decision,
  candidates: readonly Evidence[],
  labels: Int32Array,
  classes: number,
): Float64Array {
  const { index, weights, temperatures, pooled } = decision;
  if (!pooled || !weights) return candidates[index].votes;
  const mixed = mixedOf(candidates, weights, temperatures, labels, classes);
  return (mixed.votes ??= pooledVotes(candidates, weights, temperatures, classes));
}

function pooledVotes(
  candidates: readonly Evidence[],
  weights: readonly number[],
  temperatures: readonly number[],
  classes: number,
): Float64Array {
  const tables = mixtures(candidates, weights, temperatures, candidates[0].evidencePasses);
  return votesIn(
    tables.map((table) => decisions(table, classes)),
    classes,
  );
}
