import { sideBySide } from '../rows.ts';
import { leastLoss } from './loss-table.ts';
import { least, mixedOf, mixtureLosses, mixtures, most } from './mixtures.ts';
import { decisions, likelihood, votesIn } from './scores.ts';
import { bears, pick } from './selection.ts';
import type { Evidence, Picked, Poolable } from './selection.ts';
import { pairedError, trialWeights } from './trial-weights.ts';

/** One table of log-scores in a mixture: it counts by `weight` once it is divided by `temperature`. */
export interface Part {
  readonly weight: number;
  readonly temperature: number;
}

/** Candidates that a pool holds beside the one that was picked. */
const others = 5;

/**
 * Log-probabilities [rows × classes] of a linear opinion pool: the weighted arithmetic mean of the probabilities that
 * tables of log-scores give at their temperatures (Stone 1961, Ann. Math. Stat. 32). The result is calibrated again by
 * one temperature, because a mean of calibrated probabilities is not calibrated (Ranjan & Gneiting 2010, J. R. Stat.
 * Soc. B 72). A row of NaN stays one.
 */
export function mixLogScores(tables: readonly Float64Array[], parts: readonly Part[], classes: number): Float64Array {
  const out = new Float64Array(tables[0].length);
  tables.forEach((table, t) => {
    const { weight, temperature } = parts[t];
    for (let at = 0; at < table.length; at += classes) {
      let top = -Infinity;
      for (let k = 0; k < classes; k += 1) top = Math.max(top, table[at + k]);
      let sum = 0;
      for (let k = 0; k < classes; k += 1) sum += likelihood((table[at + k] - top) / temperature);
      for (let k = 0; k < classes; k += 1)
        out[at + k] += (weight * likelihood((table[at + k] - top) / temperature)) / sum;
    }
  });
  return out.map((value) => Math.log(Math.max(value, least)));
}

/**
 * Weights of the candidates in the pool around the one that was picked: half for it, the other half in equal parts for
 * the five of least log-loss, which may hold it again. Zero for all others.
 */
export function poolWeights(index: number, losses: readonly number[]): number[] {
  const best: number[] = [];
  for (let c = 0; c < losses.length; c += 1) {
    let place = best.length;
    while (place > 0 && losses[c] < losses[best[place - 1]]) place -= 1;
    if (place < others) best.splice(place, 0, c);
    if (best.length > others) best.pop();
  }
  const weights = Array.from(losses, () => 0);
  for (const c of best) weights[c] = 0.5 / best.length;
  weights[index] += 0.5;
  return weights;
}

/** A choice among the candidates and their pool. */
export interface Decision extends Picked {
  /** Weight of each candidate in the pool; null where there is one candidate only. */
  readonly weights: readonly number[] | null;
  /**
   * Class-balanced, calibrated log-loss of the pool; NaN without one. In a (re)sample it is calibrated only as far as
   * tells whether the pool is chosen.
   */
  readonly poolLoss: number;
  /** Whether the pool was chosen: its log-loss is not clearly higher than that of the candidate that was picked. */
  readonly pooled: boolean;
}

/**
 * The candidate that `pick` picks, or the pool around it. What is known of pools counts like what was published of
 * methods: they err differently, so that a mean of several is seldom worse than one (Stone 1961), and the one that was
 * picked owes part of its lead to luck. So the pool is chosen unless its log-loss is higher by more than a candidate
 * may lie behind and still be picked. The pool is no fixed candidate but a rule: its members, their temperatures and
 * whether it is chosen follow from the trials that `weights` draws, so that repeating the choice in a bootstrap sample,
 * or without a fold, makes the pool anew.
 */
export function decide(
  candidates: readonly Poolable[],
  labels: Int32Array,
  classes: number,
  weights: Float64Array | null,
): Decision {
  const share = trialWeights(labels, classes, weights);
  const picked = pick(candidates, share);
  if (candidates.length < 2) return { ...picked, weights: null, poolLoss: Number.NaN, pooled: false };
  const own = poolWeights(picked.index, picked.losses);
  const losses = mixtureLosses(candidates, own, picked.temperatures, labels, classes);
  const enough = weights === null ? -Infinity : picked.losses[picked.index];
  const { index, loss: poolLoss } = leastLoss(losses, share, enough);
  const behind = poolLoss - picked.losses[picked.index];
  const pooled = behind < bears(pairedError(losses.at(index), candidates[picked.index].ownLosses, share));
  return { ...picked, weights: own, poolLoss, pooled };
}

/**
 * The votes of the pool that would be made if the labels were others: around the candidate of least log-loss against
 * them, at the temperatures of `decision`. For permutation tests, which pay for making a pool by making it anew.
 * Shuffles that agree on its members share their votes.
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
    const key = weights.join();
    const known = made.get(key);
    if (known) return known;
    if (made.size * losses[0].length > most) made.clear();
    const votes = pooledVotes(candidates, weights, temperatures, classes);
    made.set(key, votes);
    return votes;
  };
}

/** Mean losses of `count` candidates, side by side [trials × classes × count], if the labels were these. */
function lossesAgainst(side: Float64Array, count: number, labels: Int32Array, classes: number): number[] {
  const { weights: share } = trialWeights(labels, classes, null);
  const losses = Array<number>(count).fill(0);
  for (let i = 0; i < share.length; i += 1)
    for (let c = 0, at = (i * classes + labels[i]) * count; c < count; c += 1) losses[c] += share[i] * side[at + c];
  return losses;
}

/** Votes [trials × classes], as in `Evidence`, of what was decided; those of a pool are made once. */
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
