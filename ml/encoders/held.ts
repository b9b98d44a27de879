import type { WeightsId } from './types.ts';

const held = new Set<string>();

const keyOf = ({ id, hash }: WeightsId): string => `${id}@${hash}`;

/** Says once, at the start of a process, which weights lie on its machine. */
export function holdWeights(weights: readonly WeightsId[]): void {
  held.clear();
  for (const each of weights) held.add(keyOf(each));
}

/** Whether the weights lie on this machine, as the process found it at its start. */
export const holdsWeights = (weights: WeightsId): boolean => held.has(keyOf(weights));
