import { movementNetwork } from '../methods/movement.ts';
import { fitNetwork } from '../methods/movement/network.ts';
import { hasBank } from '../methods/movement/reader.ts';
import type { Workspace } from '../methods/index.ts';
import { allWithoutArtefacts } from './without-artefacts.ts';
import type { TrainingData } from './types.ts';
import { warningSentence } from '../warning-sentences.ts';

/** The family whose fits `swappedWarnings` reuses. */
export const { family: swappedFamily } = movementNetwork;

/** Warns if all own trials contradict the sign of the movement network, whose sign was then reversed. */
export function swappedWarnings(data: TrainingData, workspace: Workspace): string[] {
  if (!data.network || !hasBank(data.features)) return [];
  if (!isTurnedRound(data, allWithoutArtefacts(data, workspace), workspace)) return [];
  return [warningSentence('swapped', {})];
}

/** False also if the weights cannot be read any more: the candidates have reported that. */
function isTurnedRound(data: TrainingData, rows: Int32Array, workspace: Workspace): boolean {
  try {
    return fitNetwork({ data, rows, workspace })['turned'] === true;
  } catch {
    return false;
  }
}
