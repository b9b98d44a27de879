import { warningWords } from './warning-words.ts';

/** Number of different points that put the score in doubt. */
export const doubtsIn = (warnings: readonly string[]): number =>
  new Set(
    warnings
      .map(warningWords)
      .filter(({ severity }) => severity === 'doubt')
      .map(({ words }) => words),
  ).size;
