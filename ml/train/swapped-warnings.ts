import { fitNetwork } from '../methods/movement/network.ts';
import { hasBank } from '../methods/movement/reader.ts';
import type { Workspace } from '../methods/index.ts';
import { range } from '../rows.ts';
import { rowsWithoutArtefacts } from './without-artefacts.ts';
import type { TrainingData } from './types.ts';
import { warningSentence } from '../warning-sentences.ts';

/** Warns if all own trials contradict the sign of the movement network, whose sign was then reversed. */
export function swappedWarnings(data: TrainingData, workspace: Workspace): string[] {
  if (!data.network || !hasBank(data.features)) return [];
  const rows = rowsWithoutArtefacts(data, range(data.labels.length), workspace);
  if (!isTurnedRound(data, rows, workspace)) return [];
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
