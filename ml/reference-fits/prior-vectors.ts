import { packedSize, tangentVectors, unpackUpper } from '../geometry/index.ts';
import { squareOf } from '../matrix.ts';
import type { Workspace } from '../methods/index.ts';
import { someChannels } from '../methods/parts/reference-space.ts';
import { centreOf } from '../methods/recentring.ts';
import { takeRows } from '../rows.ts';
import type { TrainingData } from '../train/types.ts';
import type { Features } from '../types.ts';

/** Vectors [trials × dimension]. */
interface Vectors {
  readonly values: Float64Array;
  readonly dimension: number;
}

/** Reads trials of one recording as those of the people of the prior; null: the features lack its set or electrodes. */
export function priorVectors(data: TrainingData, workspace: Workspace): ((rows: Int32Array) => Vectors) | null {
  const { set, electrodes } = data.reference!;
  const at = electrodes.map((name) => data.features.shape.channelNames.indexOf(name));
  if (!(set in data.features.sets) || at.includes(-1)) return null;
  if (set.startsWith('erp')) return (rows) => meansOf(data.features, set, at, rows);
  const features = someChannels(data.features, set, at, workspace);
  return (rows) => {
    const centre = centreOf({ ...data, features }, set, rows, { workspace, centring: 'riemannian' })!;
    const packed = takeRows(features.sets[set], packedSize(at.length), rows);
    const { data: values, columns } = tangentVectors(unpackUpper(packed, at.length), squareOf(centre, at.length));
    return { values, dimension: columns };
  };
}

/** Mean amplitudes of the windows of some channels. */
function meansOf({ sets, trials, shape }: Features, set: string, at: readonly number[], rows: Int32Array): Vectors {
  const width = sets[set].length / trials;
  const windows = width / shape.channels;
  const dimension = at.length * windows;
  const values = new Float64Array(rows.length * dimension);
  rows.forEach((row, i) =>
    at.forEach((channel, c) => {
      const from = row * width + channel * windows;
      values.set(sets[set].subarray(from, from + windows), i * dimension + c * windows);
    }),
  );
  return { values, dimension };
}
