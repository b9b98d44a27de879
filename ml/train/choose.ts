import { gatherEvidence, pick } from '../evidence/selection.ts';
import type { Evidence } from '../evidence/selection.ts';
import type { CandidateScore, Choice, FoldPlan, TrainingData } from './types.ts';

/** Scored candidates, simplest first, with what selection and bootstrap read of them. */
export function evidenceOf(scores: readonly CandidateScore[], data: TrainingData, plan: FoldPlan): Evidence[] {
  return scores
    .filter((score) => score.status === 'scored')
    .sort((a, b) => a.publishedDisadvantage - b.publishedDisadvantage || (a.method < b.method ? -1 : 1))
    .map((score) => gatherEvidence(score, data.labels, data.classes.length, plan));
}

/**
 * The winner: least expected log-loss, by the trials and, where they are few, by what is known of the methods. Throws
 * when no candidate could be scored.
 */
export function chooseCandidate(scores: readonly CandidateScore[], data: TrainingData, plan: FoldPlan): Choice {
  const candidates = evidenceOf(scores, data, plan);
  if (candidates.length === 0) {
    const reasons = scores.map(({ title, reason }) => `${title}: ${reason}`).join(' ');
    throw new Error(`None of ${scores.length} candidate methods could be fitted. ${reasons}`);
  }
  const { index, losses } = pick(candidates, data.labels, data.classes.length, null);
  const best = losses.indexOf(Math.min(...losses));
  const { score } = candidates[index];
  const round = (value: number): string => value.toFixed(3);
  const explanation =
    index === best
      ? `${score.title} has the lowest calibrated log-loss (${round(losses[index])}) of ${candidates.length} ` +
        `candidates.`
      : `${score.title} (log-loss ${round(losses[index])}) is the better established of those the trials cannot ` +
        `tell apart; lowest was ${candidates[best].score.title} (${round(losses[best])}), of ${candidates.length} ` +
        `candidates.`;
  return { method: score.method, version: score.version, temperature: score.temperature, explanation };
}
