import { movementCard } from '../../encoders/movement/index.ts';
import type { Features, NetworkTask } from '../../types.ts';
import { firstOf } from '../reasons.ts';
import type { Check } from '../reasons.ts';
import type { FitContext, Head, TrainingData } from '../types.ts';
import type { Workspace } from '../workspace.ts';
import { calibrate } from './calibrate.ts';
import { movementUnreadable, readLogOdds, readerOf } from './reader.ts';
import { isTurned } from './turn.ts';

const known: Check = ({ network }) =>
  network && Object.hasOwn(movementCard.heads, network.head)
    ? null
    : 'needs classes that the network has learned (left or right hand, movement or rest); these are others';

/** Why the network's own answer cannot be used for such trials. */
export const networkUnreadable: Check = firstOf(known, movementUnreadable);

/** The task of the network. Throws if the classes of the data are none of the network's. */
function taskOf({ network }: TrainingData): NetworkTask {
  if (!network) throw new Error('The classes are none that the network has learned.');
  return network;
}

/**
 * Fits the network to a person: recentres it on the training trials, turns it round if they contradict its sign (left
 * and right only), and calibrates its log-odds.
 */
export function fitNetwork(context: FitContext): Head {
  const { data, rows, workspace } = context;
  return workspace.once([data, rows], 'movement:network', () => {
    const reader = readerOf(context);
    const { head, positive } = taskOf(data);
    const logOdds = readLogOdds(reader, head, data.features, workspace);
    const turned = movementCard.heads[head].mirrored && isTurned(logOdds, data, rows, positive, workspace);
    const sign = turned ? -1 : 1;
    const { scale, shift } = calibrate(
      Float64Array.from(rows, (row) => sign * logOdds[row]),
      Int32Array.from(rows, (row) => Number(data.labels[row] === positive)),
    );
    return { representation: reader, head, positive, scale: sign * scale, shift };
  });
}

/** Log-scores [rows × 2] of the fitted network. */
export function decideNetwork(
  { representation, head, positive, scale, shift }: Head,
  features: Features,
  rows: Int32Array,
  workspace: Workspace,
): Float64Array {
  const logOdds = readLogOdds(representation as Head, head as string, features, workspace);
  const out = new Float64Array(rows.length * 2);
  rows.forEach((row, i) => (out[2 * i + (positive as number)] = (scale as number) * logOdds[row] + (shift as number)));
  return out;
}
