import { warningWords } from './warning-words.ts';

/** Number of different points that put the score in doubt. */
export const doubtsIn = (warnings: readonly string[]): number =>
  new Set(
    warnings
      .map(warningWords)
      .filter(({ weight }) => weight === 'doubt')
      .map(({ words }) => words),
  ).size;
