import { mixLogScores } from '../evidence/opinion-pool.ts';
import { softmax } from '../evidence/scores.ts';
import { averageLogScores } from '../methods/parts/average.ts';
import { alignBatch } from '../methods/recentring.ts';
import { readInOrder } from '../methods/sequence.ts';
import type { FittedModel } from './types.ts';

/** Converts the log-scores of methods to the probabilities of an answer. */
export interface Answer {
  /** Log-scores of an average from those of its members. */
  readonly average: typeof averageLogScores;
  /** Log-scores of a pool from those of its members. */
  readonly mix: typeof mixLogScores;
  /** Features of a batch, recentred onto the training trials. */
  readonly align: typeof alignBatch;
  /** Probabilities of a recording whose trials come in order. */
  readonly follow: typeof readInOrder;
  /** Probabilities of log-scores at the model's temperature. */
  readonly softmax: typeof softmax;
}

/** Answers by version. New models use the highest. The others stay as long as a hosted model is pinned to them. */
export const answers: Readonly<Record<number, Answer>> = {
  1: { average: averageLogScores, mix: mixLogScores, align: alignBatch, follow: readInOrder, softmax },
};

export const currentAnswer = (): number => Math.max(...Object.keys(answers).map(Number));

/** Version of a model's answer. 1 for models that were stored without this pin. */
export const answerOf = ({ answer = 1 }: Pick<FittedModel, 'answer'>): number => answer;

/** The answer of a version. Throws RangeError if this code does not have it. */
export function answerAt(version: number): Answer {
  if (!Object.hasOwn(answers, version))
    throw new RangeError(`This code does not hold version ${version} of the answer.`);
  return answers[version];
}
