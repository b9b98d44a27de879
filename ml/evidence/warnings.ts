import { percent } from './percent.ts';
import { warningSentence } from '../warning-sentences.ts';

export interface EvidenceFacts {
  readonly classes: readonly string[];
  readonly balancedAccuracy: number;
  readonly corrected: number;
  readonly p: number;
}

const rules: readonly ((facts: EvidenceFacts) => string | null)[] = [
  ({ p, balancedAccuracy, classes }) =>
    p > 0.05
      ? warningSentence('may_be_chance', {
          score: percent(balancedAccuracy),
          chance: percent(1 / classes.length),
          p: Math.round(p * 1000) / 1000,
        })
      : null,
  ({ p, balancedAccuracy, corrected }) =>
    p <= 0.05 && balancedAccuracy - corrected > 0.05
      ? warningSentence('optimistic', { score: percent(balancedAccuracy), expected: percent(corrected) })
      : null,
];

/** Warnings for readers of the scores, with numbers. */
export const evidenceWarnings = (facts: EvidenceFacts): string[] =>
  rules.map((rule) => rule(facts)).filter((text) => text !== null);
