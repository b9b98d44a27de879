import type { PersonFeatures, ReferenceTaskShape } from './types.ts';

/**
 * Number of slices of the longest trial. For each person with every class: the longest stretch of each class, and the
 * shortest of these. The result is the median over these people (the lower of two), so that one person decides nothing
 * and at least half of them have such a trial of every class. 1 if no person has every class.
 */
export function longestTrial(people: readonly PersonFeatures[], { classes }: Pick<ReferenceTaskShape, 'classes'>) {
  const each = people.map((person) => Math.min(...classes.map((id) => longestOfClass(person, id))));
  const some = each.filter((slices) => slices > 0).sort((a, b) => a - b);
  return some[(some.length - 1) >> 1] ?? 1;
}

const longestOfClass = ({ classIds, first }: PersonFeatures, id: string): number =>
  Math.max(0, ...classIds.map((own, s) => (own === id ? first[s + 1] - first[s] : 0)));
