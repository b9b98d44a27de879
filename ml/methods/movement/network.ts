import { mirroredSite, movementCard, usedSites } from '../../encoders/movement/index.ts';
import type { Features, NetworkTask } from '../../types.ts';
import { firstOf } from '../reasons.ts';
import type { Check } from '../reasons.ts';
import type { FitContext, Head, HeadValue, TrainingData } from '../types.ts';
import type { Workspace } from '../workspace.ts';
import { calibrate } from './calibrate.ts';
import { bankOf } from './centres.ts';
import { movedAlone } from './moved-bank.ts';
import { movementUnreadable, readLogOdds, readerOf } from './reader.ts';
import { isTurned } from './turn.ts';
import { reasonSentence } from '../../reason-sentences.ts';

const learned: Check = ({ network }) =>
  network && Object.hasOwn(movementCard.heads, network.head) ? null : reasonSentence('network_classes', {});

/** A head that compares the two sides of the head reads nothing of the midline: both sides are the same there. */
const beside: Check = (shape) => {
  if (!shape.network || !movementCard.heads[shape.network.head].mirrored) return null;
  const names = usedSites(shape).sites.map((site) => movementCard.sites[site]);
  return names.every((name) => mirroredSite(name) === name)
    ? reasonSentence('beside_midline', { names: names.join(', ') })
    : null;
};

/** Why the network's own answer cannot be used for such trials. */
export const networkUnreadable: Check = firstOf(learned, movementUnreadable, beside);

/** The task of the network. Throws if the network has no such classes. */
function taskOf({ network }: TrainingData): NetworkTask {
  if (!network) throw new Error('The network was not trained on these classes. Check `network` of the data.');
  return network;
}

/**
 * Fits the network to a person: recentres it on the training trials, turns it round if they contradict its sign (left
 * and right only), and calibrates its log-odds.
 */
export function fitNetwork(context: FitContext): Head {
  const { data, rows, workspace } = context;
  const reader = readerOf(context);
  return workspace.once([data, rows, reader], 'movement:network', () => {
    const { head, positive } = taskOf(data);
    const logOdds = readLogOdds(reader, head, { features: data.features, rows }, workspace);
    const { mirrored, temperature } = movementCard.heads[head];
    const turned = mirrored && isTurned(logOdds, data, rows, positive, workspace);
    const sign = (turned ? -1 : 1) / temperature.alone;
    const { scale, shift } = calibrate(
      logOdds.map((value) => sign * value),
      Int32Array.from(rows, (row) => Number(data.labels[row] === positive)),
    );
    return { representation: reader, head, positive, scale: sign * scale, shift, turned };
  });
}

/** Trials of an unknown person, each recentred alone; see `movedAlone`. */
function eachAlone(reader: Head, features: Features, ownWeight: HeadValue, workspace: Workspace): Features {
  const set = reader['set'] as string;
  return workspace.once([reader, features], 'movement:alone', () => ({
    ...features,
    sets: {
      ...features.sets,
      [set]: movedAlone(bankOf(features, set), reader['centres'] as Float64Array, ownWeight as number),
    },
  }));
}

/**
 * Log-scores [rows × 2] of the fitted network. `ownWeight` of a head without own trials: how much a single trial counts
 * for its own recentring.
 */
export function decideNetwork(
  { representation, head, positive, scale, shift, ownWeight = null }: Head,
  features: Features,
  rows: Int32Array,
  workspace: Workspace,
): Float64Array {
  const reader = representation as Head;
  const seen = ownWeight === null || features.aligned ? features : eachAlone(reader, features, ownWeight, workspace);
  const logOdds = readLogOdds(reader, head as string, { features: seen, rows }, workspace);
  const out = new Float64Array(rows.length * 2);
  logOdds.forEach((value, i) => (out[2 * i + (positive as number)] = (scale as number) * value + (shift as number)));
  return out;
}
