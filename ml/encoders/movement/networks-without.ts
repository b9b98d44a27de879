import { movementCard } from './card.ts';

/**
 * Indices of the networks that learned from none of these people, in their order. The network of a fold has not seen
 * the people of that fold. People of no fold were seen by none.
 */
export function networksWithout(people: readonly string[]): Int32Array {
  const { folds } = movementCard;
  const learned = people.filter((person) => folds.some((fold) => fold.includes(person)));
  return Int32Array.from(folds.keys()).filter((n) => learned.every((person) => folds[n].includes(person)));
}
