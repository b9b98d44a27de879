import { drawSample } from './bootstrap.ts';
import { commonest, rowsOfUnits } from './dealing.ts';
import { firstPass } from './drawn-folds.ts';
import type { FoldPlan } from './types.ts';
import { createRandom } from '../random.ts';
import { decide, votesOf } from './pool.ts';
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
  /** Whether the choice was repeated without the fold it is scored on. */
  readonly nested: boolean;
  /** Training trials of each class, on average, of the models that it speaks for. */
  readonly trialsPerClass: number;
  /** The score as it was measured, of models of fewer trials; absent: it is as it was measured. */
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
 * Variance that the trials of a cross-validated score share, as a multiple of what they add each by itself. Scores of
 * noise vary by 1.3 to 1.9 times their binomial variance, method by method, with five folds.
 */
const sharedVariance = 0.7;

/**
 * What the whole procedure "score all candidates and take the best" is expected to reach on new trials. The score of
 * the best of many is too high, because the luckiest wins (the winner's curse). The bootstrap bias correction of
 * cross-validation (BBC-CV; Tsamardinos, Greasidou & Borboudakis 2018, Mach. Learn. 107) draws bootstrap samples of the
 * out-of-fold results, repeats the choice on the trials that were drawn, a pool made anew included, and scores what was
 * chosen on those that were not. The result is the mean of these scores; the interval holds their middle 95 %, and
 * what `accuracyInterval` says of so many trials: where all or none of the few trials of a class were recognised, all
 * bootstrap samples agree on it, and their percentiles take it as certain.
 *
 * Whole sessions are drawn where there are at least five, else trials within each class and session; trials of one unit
 * (`plan.units`) are drawn as one. With few trials (`plan.inner` is not empty) the choice for a fold reads only fits
 * that never saw that fold: otherwise the trials that choose have also trained the fits that are scored, and pure noise
 * scores above chance (Varma & Simon 2006, BMC Bioinformatics 7:91).
 *
 * With many trials that would be dear, and what it is worth is known. The score of a candidate strays by what its
 * tested trials share, for they trained each other's fits (Nadeau & Bengio 2003, Mach. Learn. 52), and by what each
 * adds, whose variance a bootstrap sample doubles. The choice profits from both in proportion to their variance, but
 * only what it gains from the second is seen: as the difference between the trials that chose and those that did not.
 * Half of `sharedVariance` of it is taken off.
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
  const shared = nested ? 0 : (sharedVariance / 2) * Math.max(0, luck / scores.length);
  scores.sort((a, b) => a - b);
  const [low, high] = accuracyInterval(
    Array.from(recalls, (sum) => Math.max(0, sum / scores.length - shared)),
    countsOf(labels, classes),
  );
  const at = (quantile: number): number => Math.max(0, scores[Math.round(quantile * (scores.length - 1))] - shared);
  return {
    balancedAccuracy: Math.max(0, scores.reduce((a, b) => a + b, 0) / scores.length - shared),
    interval: [Math.min(low, at(0.025)), Math.max(high, at(0.975))],
    ...common,
  };
}

const unseen = (weight: number): number => (weight === 0 ? 1 : 0);

/** Trials of each class that the fits of the first pass trained on, on average. */
function trainedPerClass(plan: FoldPlan, classes: number): number {
  const first = firstPass(plan);
  return Math.round(first.reduce((sum, { train }) => sum + train.length, 0) / first.length / classes);
}

/** Votes [trials × classes] in which each fold's trials are those of the candidate chosen without that fold. */
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

/** Units of trials by session, and in each by the class of most of their trials. */
type Strata = readonly number[][][][];

/** Where a session has but one unit of a class, the units of all sessions are drawn from together. */
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
