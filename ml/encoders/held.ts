import type { WeightsId } from './types.ts';

const held = new Map<string, WeightsId>();

const keyOf = ({ id, hash }: WeightsId): string => `${id}@${hash}`;

/** Says once, at the start of a process, which weights lie on its machine. */
export function holdWeights(weights: readonly WeightsId[]): void {
  held.clear();
  for (const each of weights) held.set(keyOf(each), each);
}

/** Says that the file of weights is gone or has changed: the process holds them no more, until it is started again. */
export const loseWeights = (weights: WeightsId): void => void held.delete(keyOf(weights));

/** Whether the weights lie on this machine, as the process found it at its start and when it read them. */
export const holdsWeights = (weights: WeightsId): boolean => held.has(keyOf(weights));

/** All of them. */
export const heldWeights = (): readonly WeightsId[] => [...held.values()];
