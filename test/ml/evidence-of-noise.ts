import { trainClassifier } from '../../ml/train/index.ts';
import type { NoiseTrials } from './noise-designs.ts';

export interface NoiseEvidence {
  readonly balanced_accuracy: number;
  readonly corrected: { readonly balanced_accuracy: number } | null;
  readonly p_value: number | null;
  readonly permutations: number;
  readonly warnings: readonly string[];
}

/** Report of a fit of two quick methods. */
export const evidenceOf = (
  { trials, labels, sessions }: NoiseTrials,
  candidates: readonly string[] = ['log-power-logistic', 'tangent-logistic'],
): NoiseEvidence =>
  trainClassifier(trials, labels, sessions, { kind: 'motor', candidates }).report as unknown as NoiseEvidence;

export const meanOf = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
export const spreadOf = (values: readonly number[]): number =>
  Math.sqrt(meanOf(values.map((v) => (v - meanOf(values)) ** 2)));
