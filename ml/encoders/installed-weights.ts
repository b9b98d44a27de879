import type { WeightsId } from './types.ts';

const installed = new Map<string, WeightsId>();

const keyOf = ({ id, hash }: WeightsId): string => `${id}@${hash}`;

/** Sets which weights are installed on this machine; called once, at the start of a process. */
export function setInstalledWeights(weights: readonly WeightsId[]): void {
  installed.clear();
  for (const each of weights) installed.set(keyOf(each), each);
}

/** Marks weights as not installed, because their file is gone or has changed, until the process starts again. */
export const markWeightsMissing = (weights: WeightsId): void => void installed.delete(keyOf(weights));

/** Whether weights are installed on this machine, as the process found at its start and when it read them. */
export const hasWeights = (weights: WeightsId): boolean => installed.has(keyOf(weights));

/** All installed weights. */
export const installedWeights = (): readonly WeightsId[] => [...installed.values()];
