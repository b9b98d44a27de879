import { choiceSentence } from '../choice-sentences.ts';
import { decide } from '../evidence/opinion-pool.ts';
import type { Decision } from '../evidence/opinion-pool.ts';
import { gatherEvidence } from '../evidence/selection.ts';
import type { Evidence } from '../evidence/selection.ts';
import { membersOf, poolId, poolScore, poolVersion } from './opinion-pool.ts';
import type { CandidateScore, Choice, FoldPlan, TrainingData } from './types.ts';

/** Evidence of the scored candidates, simplest first, for selection and bootstrap. */
export function evidenceOf(scores: readonly CandidateScore[], data: TrainingData, plan: FoldPlan): Evidence[] {
  return scores
    .filter((score) => score.status === 'scored')
    .sort((a, b) => a.prior.mean - b.prior.mean || (a.method < b.method ? -1 : 1))
    .map((score) => gatherEvidence(score, data.labels, data.classes.length, plan));
}

/**
 * The candidate with the least expected log-loss, by the trials and, if they are few, by the trials of other people. Or
 * the pool around it, unless its log-loss is clearly higher. Throws if no candidate was scored.
 */
export function chooseCandidate(scores: readonly CandidateScore[], data: TrainingData, plan: FoldPlan): Choice {
  const candidates = evidenceOf(scores, data, plan);
  if (candidates.length === 0) {
    const reasons = scores.map(({ title, reason }) => `${title}: ${reason}`).join(' ');
    throw new Error(`None of ${scores.length} candidate methods could be fitted. ${reasons}`);
  }
  const decision = decide(candidates, data.labels, data.classes.length, null);
  const { score } = candidates[decision.index];
  const { temperature, averaged } = score;
  const explanation = explained(candidates, decision);
  const pool = decision.weights ? membersOf(candidates, decision.weights, decision.index) : null;
  return {
    ...(pool && decision.pooled
      ? { method: poolId, version: poolVersion, temperature: poolScore(pool, scores, data, plan).temperature }
      : { method: score.method, version: score.version, temperature, ...(averaged && { averaged }) }),
    explanation,
    expectedBehind: Object.fromEntries(
      candidates.map(({ score: { method } }, c) => [method, behindChosen(decision, c)]),
    ),
    ...(pool && { pool }),
  };
}

function behindChosen({ expected, index }: Decision, c: number): number | null {
  const gap = expected[c] - expected[index];
  return Number.isNaN(gap) ? null : gap;
}

const round = (value: number): string => value.toFixed(3);

function explained(candidates: readonly Evidence[], { index, losses, pooled, poolLoss, weights }: Decision): string {
  const best = losses.indexOf(Math.min(...losses));
  const { title, prior } = candidates[index].score;
  const own = { title, loss: round(losses[index]), candidates: candidates.length };
  const least = { best: candidates[best].score.title, least: round(losses[best]), favoured: title };
  const single =
    index === best
      ? choiceSentence('lowest_loss', own)
      : choiceSentence(prior.people > 0 ? 'other_people' : 'published', { ...own, ...least });
  if (!weights || !pooled) return single;
  const members = weights.filter((weight) => weight > 0).length;
  const pool = { members, weight: Math.round(100 * weights[index]), loss: round(poolLoss) };
  return `${single} ${choiceSentence(poolLoss < losses[index] ? 'pool_lower' : 'pool_not_higher', pool)}`;
}
