import { drawSample } from './bootstrap.ts';
import { commonest, rowsOfUnits } from './dealing.ts';
import { firstPass } from './drawn-folds.ts';
import type { FoldPlan } from './types.ts';
import { createRandom } from '../random.ts';
import { decide, votesOf } from './opinion-pool.ts';
import { countsOf } from './scores.ts';
import { accuracyInterval } from './interval.ts';
import { votedAccuracy, votedRecalls } from './selection.ts';
import type { Evidence } from './selection.ts';

export interface CorrectedScore {
  readonly balancedAccuracy: number;
  /** 95 % interval. */
  readonly interval: readonly [number, number];
  readonly resamples: number;
  readonly unit: 'sessions' | 'trials';
  /** True if the choice was repeated without the fold on which it is scored. */
  readonly nested: boolean;
  /** Mean number of training trials per class of the models that this score describes. */
  readonly trialsPerClass: number;
  /** The measured score, of models of fewer trials. Absent: the score above is the measured one. */
  readonly measured?: { readonly balancedAccuracy: number; readonly trialsPerClass: number };
}

export interface CorrectionInput {
  readonly candidates: readonly Evidence[];
  readonly labels: Int32Array;
  readonly classes: number;
  /** Sessions, or groups of small ones. */
  readonly sessions: Int32Array | null;
  readonly plan: FoldPlan;
}

const seed = 90_125;
const fewestSessions = 5;
/**
 * Variance that all trials of a cross-validated score have in common, as a multiple of the variance that they add
 * independently. Measured: with five folds, scores of noise vary by 1.3 to 1.9 times their binomial variance, depending
 * on the method.
 */
const sharedVariance = 0.7;

/**
 * Expected score on new trials of the whole procedure "score all candidates and take the best". The score of the best
 * of many candidates is too high, because the luckiest wins (the winner's curse). The bootstrap bias correction of
 * cross-validation (BBC-CV; Tsamardinos, Greasidou & Borboudakis 2018, Mach. Learn. 107) draws bootstrap samples of the
 * out-of-fold results. It repeats the choice on the drawn trials, with a new pool, and scores the choice on the trials
 * that were not drawn. The result is the mean of these scores. The interval covers their middle 95 % and the
 * `accuracyInterval` of so many trials: if all or none of the few trials of a class were recognised, all bootstrap
 * samples agree, and their percentiles would treat that as certain.
 *
 * Whole sessions are drawn if there are at least five, else trials within each class and session. Trials of one unit
 * (`plan.units`) are drawn as one. With few trials (`plan.inner` is not empty) the choice for a fold reads only fits
 * that never saw that fold. Otherwise the trials that choose have also trained the fits that are scored, and pure noise
 * scores above chance (Varma & Simon 2006, BMC Bioinformatics 7:91).
 *
 * With many trials such inner fits would be too slow, and their effect is known. The error of a candidate's score has
 * two parts. One is common to its test trials, because they trained each other's fits (Nadeau & Bengio 2003, Mach.
 * Learn. 52). The other is independent in each trial, and a bootstrap sample doubles its variance. The choice profits
 * from both in proportion to their variance. The bootstrap sees only the gain from the second: the difference between
 * the trials that chose and the others. Half of `sharedVariance` times this difference is subtracted.
 */
export function correctedScore(input: CorrectionInput): CorrectedScore {
  const { candidates, labels, classes, sessions, plan } = input;
  const random = createRandom(seed);
  const groups = strata(input);
  const nested = plan.inner.length > 0 && candidates.every(({ inner }) => inner.length > 0);
  const bySession = !nested && groups.length >= fewestSessions && sessions !== null;
  const unit = bySession ? 'sessions' : 'trials';
  const drawn = bySession ? [groups.map((session) => session.flat(2))] : groups.flat();
  const wanted = labels.length <= 600 ? 400 : 200;
  const scores: number[] = [];
  const recalls = new Float64Array(classes);
  let luck = 0;
  for (let attempt = 0; attempt < wanted * 4 && scores.length < wanted; attempt += 1) {
    const weights = drawSample(drawn, labels.length, random);
    const outside = weights.map(unseen);
    const votes = nested
      ? votesOfChoices(input, weights)
      : votesOf(decide(candidates, labels, classes, weights), candidates, labels, classes);
    const own = votedRecalls(votes, labels, classes, outside);
    const score = own.reduce((sum, recall) => sum + recall, 0) / classes;
    if (Number.isNaN(score)) continue;
    scores.push(score);
    own.forEach((recall, k) => (recalls[k] += recall));
    luck += votedAccuracy(votes, labels, classes, weights) - score;
  }
  const common = { resamples: scores.length, unit, nested, trialsPerClass: trainedPerClass(plan, classes) } as const;
  if (scores.length === 0) return { balancedAccuracy: Number.NaN, interval: [Number.NaN, Number.NaN], ...common };
  const excess = nested ? 0 : (sharedVariance / 2) * Math.max(0, luck / scores.length);
  scores.sort((a, b) => a - b);
  const [low, high] = accuracyInterval(
    Array.from(recalls, (sum) => Math.max(0, sum / scores.length - excess)),
    countsOf(labels, classes),
  );
  const at = (quantile: number): number => Math.max(0, scores[Math.round(quantile * (scores.length - 1))] - excess);
  return {
    balancedAccuracy: Math.max(0, scores.reduce((a, b) => a + b, 0) / scores.length - excess),
    interval: [Math.min(low, at(0.025)), Math.max(high, at(0.975))],
    ...common,
  };
}

const unseen = (weight: number): number => (weight === 0 ? 1 : 0);

/** Mean number of training trials per class in the first pass. */
function trainedPerClass(plan: FoldPlan, classes: number): number {
  const first = firstPass(plan);
  return Math.round(first.reduce((sum, { train }) => sum + train.length, 0) / first.length / classes);
}

/** Votes [trials × classes]. Each fold's trials get the votes of the candidate that was chosen without that fold. */
export function votesOfChoices(
  { candidates, labels, classes, plan }: CorrectionInput,
  weights: Float64Array | null,
): Float64Array {
  const out = new Float64Array(labels.length * classes);
  firstPass(plan).forEach(({ test, train }, f) => {
    const seen = new Float64Array(labels.length);
    for (const row of train) seen[row] = weights ? weights[row] : 1;
    const inner = candidates.map((candidate) => candidate.inner[f]);
    const votes = votesOf(decide(inner, labels, classes, seen), candidates, labels, classes);
    for (const row of test) out.set(votes.subarray(row * classes, (row + 1) * classes), row * classes);
  });
  return out;
}

/** Units of trials, by session and then by the class of most of their trials. */
type Strata = readonly number[][][][];

/** If a session has only one unit of a class, units are drawn from all sessions together. */
function strata({ labels, classes, sessions, plan: { units } }: CorrectionInput): Strata {
  const pieces = rowsOfUnits(units, labels.length);
  const by = (keys: Int32Array | null): number[][][][] => {
    const order = [...new Set(keys ?? [0])].sort((a, b) => a - b);
    const places = new Map(order.map((key, at) => [key, at] as const));
    const out = order.map(() => Array.from({ length: classes }, (): number[][] => []));
    for (const rows of pieces)
      out[places.get(keys ? keys[rows[0]] : 0)!][commonest(rows.map((row) => labels[row]))].push(rows);
    return out;
  };
  const bySession = by(sessions);
  return units && bySession.some((own) => own.some(({ length }) => length === 1)) ? by(null) : bySession;
}
