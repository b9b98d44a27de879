import { encodedId, readWeightsSet } from '../../encoders/ids.ts';
import { movementCard, movementId, usedSites } from '../../encoders/movement/index.ts';
import { matrixOf } from '../../matrix.ts';
import { putRows } from '../../rows.ts';
import type { Features } from '../../types.ts';
import type { Representation } from '../parts/types.ts';
import { atLeastRate, atLeastSeconds, atMostSeconds, firstOf } from '../reasons.ts';
import type { Check } from '../reasons.ts';
import type { FitContext, Head } from '../types.ts';
import type { Workspace } from '../workspace.ts';
import { bandCentres, bankOf } from './centres.ts';
import { emptyHidden, hiddenLayers, logOddsOf } from './read.ts';
import type { Hidden, MovementReader } from './read.ts';
import { reasonSentence } from '../../reason-sentences.ts';

/** Fewest electrodes at sites of the network. */
const fewestSites = 2;

const installed: Check = ({ encoders = {} }) => {
  const status = encoders[movementId];
  if (status && 'hash' in status) return null;
  return reasonSentence('encoder', { why: status?.reason ?? 'weights not installed' });
};

const placed: Check = (shape) => {
  const { length } = usedSites(shape).channels;
  return length < fewestSites
    ? reasonSentence('network_sites', {
        needed: fewestSites,
        sites: movementCard.sites.length,
        found: length,
        supplied: shape.channelNames.length,
      })
    : null;
};

const highestHz = Math.max(...movementCard.bands.map(([, high]) => high));
const [shortest, longest] = movementCard.seconds;

/** Why the network cannot read such trials. */
export const movementUnreadable: Check = firstOf(
  installed,
  placed,
  atLeastSeconds(shortest, 'the windows of the network'),
  atMostSeconds(longest, 'the network learned trials of 4 s'),
  atLeastRate(highestHz),
);

/** The bank among the feature sets of installed weights. */
export const bankSets: Representation['featureSets'] = ({ encoders = {} }) => {
  const status = encoders[movementId];
  return status && 'hash' in status ? [encodedId({ id: movementId, hash: status.hash, name: 'bank' })] : [];
};

/** Id of the bank among the features; undefined: the trials were not read for the network. */
export const bankIn = ({ sets }: Pick<Features, 'sets'>): string | undefined =>
  Object.keys(sets).find((id) => readWeightsSet(id)?.id === movementId);

/** Whether the trials were read for the network. */
export const hasBank = (features: Pick<Features, 'sets'>): boolean => bankIn(features) !== undefined;

/** Fits a reader: the mean covariance of each band of the training trials, on which they are recentred. */
export function readerOf({ data, rows: labelled, unlabelled: rows = labelled, workspace }: FitContext): Head {
  const set = bankIn(data.features);
  if (set === undefined) throw new Error('The trials were not read for the movement network.');
  if (data.networksLost !== undefined) throw new Error(data.networksLost);
  return workspace.once([data, rows], 'movement:reader', () =>
    readerAt(set, {
      centres: bandCentres(bankOf(data.features, set), rows),
      sites: Int32Array.from(usedSites(data.features.shape).sites),
      ...(data.networks && { networks: data.networks }),
    }),
  );
}

/** A reader of a feature set, as it is stored in a head. */
export const readerAt = (set: string, reader: Omit<MovementReader, 'hash'>): Head => ({
  set,
  hash: readWeightsSet(set)!.hash,
  ...reader,
});

/** Hidden layers of the trials that were read so far. */
interface ReadSoFar {
  readonly hidden: Hidden;
  /** For each trial 1 if it was read. */
  readonly isRead: Uint8Array;
}

/**
 * Hidden layers of all trials, of which at least `rows` are filled. Each trial is read once for all methods with the
 * same reader; the fits of a learning curve need only some of them.
 */
function hidden(reader: Head, features: Features, rows: Int32Array, workspace: Workspace): Hidden {
  const read = reader as unknown as MovementReader;
  const { hidden: all, isRead } = workspace.once([reader, features], 'movement:hidden', (): ReadSoFar => ({
    hidden: emptyHidden(features.trials, read),
    isRead: new Uint8Array(features.trials),
  }));
  const missing = rows.filter((row) => isRead[row] === 0);
  if (missing.length > 0) {
    const { values } = hiddenLayers(bankOf(features, reader['set'] as string), read, missing);
    putRows(all.values, values.length / missing.length, missing, values);
    for (const row of missing) isRead[row] = 1;
  }
  return all;
}

/** Log-odds of a head for some trials [rows]. */
export const readLogOdds = (
  reader: Head,
  head: string,
  { features, rows }: { readonly features: Features; readonly rows: Int32Array },
  workspace: Workspace,
): Float64Array =>
  logOddsOf(hidden(reader, features, rows, workspace), reader as unknown as MovementReader, head, rows);

/** Hidden layers of the networks as vectors: they do not depend on the classes of the data. */
export const movementFeatures: Representation = {
  name: 'movement features',
  needsLabels: false,
  unreadable: movementUnreadable,
  featureSets: bankSets,
  fit: readerOf,
  apply(reader, features, rows, workspace) {
    const { values, networks, width } = hidden(reader, features, rows, workspace);
    const out = new Float64Array(rows.length * networks * width);
    for (let i = 0; i < rows.length; i += 1)
      for (let n = 0; n < networks; n += 1) {
        const from = (rows[i] * networks + n) * 2 * width;
        out.set(values.subarray(from, from + width), (i * networks + n) * width);
      }
    return matrixOf(out, networks * width, rows.length);
  },
};
