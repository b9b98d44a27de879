import { encodedId, readEncodedId } from '../../encoders/ids.ts';
import { columnMoments, rootsOrOne, standardisedRows } from '../../linalg/index.ts';
import { matrixOf } from '../../matrix.ts';
import type { Features } from '../../types.ts';
import type { Check } from '../reasons.ts';
import { firstOf } from '../reasons.ts';
import type { Head, TrainingData } from '../types.ts';
import type { Representation } from './types.ts';
import { reasonSentence } from '../../reason-sentences.ts';

/** Requires an encoder with installed weights. */
const needsEncoder =
  (id: string): Check =>
  ({ encoders = {} }) => {
    const status = encoders[id];
    if (status && 'hash' in status) return null;
    return reasonSentence('encoder', { why: status?.reason ?? 'weights not installed' });
  };

/** The set with that name among the features; null if the encoder did not compute it. */
const idIn = ({ sets }: Pick<Features, 'sets'>, id: string, name: string): string | null =>
  Object.keys(sets).find((set) => {
    const read = readEncodedId(set);
    return read?.id === id && read.name === name;
  }) ?? null;

function idOrWhy({ features, encoded }: TrainingData, id: string, name: string): string {
  const set = idIn(features, id, name);
  if (set !== null) return set;
  throw new Error(encoded?.[id]?.lost ?? `The encoder ${id} did not read these trials.`);
}

/**
 * Embeddings of a pretrained encoder, frozen: one of its sets, each column standardised on the training trials.
 * `needs`: the encoder's requirements.
 */
export const embedding = (id: string, name: string, needs: Check): Representation => ({
  name: `embedding:${id}/${name}`,
  needsLabels: false,
  unreadable: firstOf(needsEncoder(id), needs),
  featureSets({ encoders = {} }) {
    const status = encoders[id];
    return status && 'hash' in status ? [encodedId({ id, hash: status.hash, name })] : [];
  },
  fit({ data, rows }): Head {
    const values = data.features.sets[idOrWhy(data, id, name)];
    const { mean, variance } = columnMoments(matrixOf(values, values.length / data.features.trials), rows);
    return { mean, scale: rootsOrOne(variance) };
  },
  apply(head, features, rows) {
    const set = idIn(features, id, name);
    if (set === null) throw new Error(`The trials were not read by the encoder ${id}.`);
    const [mean, scale] = [head['mean'] as Float64Array, head['scale'] as Float64Array];
    return standardisedRows(matrixOf(features.sets[set], mean.length), rows, { mean, scale });
  },
});
