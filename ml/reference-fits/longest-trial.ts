import type { PersonFeatures, ReferenceTaskShape } from './types.ts';

/**
 * Slices of the longest trial that is read: of each person with every class, the longest stretch of the class whose
 * longest is the shortest; the median over these people, so that one person decides nothing and half of them or more
 * have such a trial of every class. Of two in the middle it is the shorter; 1 where nobody has every class.
 */
export function longestTrial(people: readonly PersonFeatures[], { classes }: Pick<ReferenceTaskShape, 'classes'>) {
  const each = people.map((person) => Math.min(...classes.map((id) => longestOfClass(person, id))));
  const some = each.filter((slices) => slices > 0).sort((a, b) => a - b);
  return some[(some.length - 1) >> 1] ?? 1;
}

const longestOfClass = ({ classIds, first }: PersonFeatures, id: string): number =>
  Math.max(0, ...classIds.map((own, s) => (own === id ? first[s + 1] - first[s] : 0)));
