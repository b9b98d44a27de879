import type { LinearHead } from '../../classify/linear.ts';
import { invsqrtm, packedAt, packedSize } from '../../geometry/index.ts';
import type { Matrix } from '../../matrix.ts';
import type { Features } from '../../types.ts';
import type { FitContext, Head } from '../types.ts';
import type { Workspace } from '../workspace.ts';
import { meanOf, spdSet } from './spd.ts';

/**
 * Tangent space (see `tangentSpace`) of the reference recordings' electrodes at the mean of the training trials.
 * Returns a head that its `apply` reads.
 */
export function referenceSpace(
  set: string,
  electrodes: readonly string[],
  { data, rows, workspace }: FitContext,
): Head {
  const { channels, channelNames } = data.features.shape;
  const at = electrodes.map((name) => channelNames.indexOf(name));
  const own = someChannels(data.features, set, at, workspace);
  const mean = meanOf(spdSet(own, set, true), 0, rows, workspace);
  return { set, p: channels, q: at.length, blocks: 1, whiteners: spread(invsqrtm(mean), at, channels) };
}

/** Expands rows of a square matrix of some channels to all `channels`, with zeros for the others. */
export function spread({ data: w }: Matrix, at: readonly number[], channels: number): Float64Array {
  const q = at.length;
  const out = new Float64Array(q * channels);
  for (let i = 0; i < q; i += 1) for (let j = 0; j < q; j += 1) out[i * channels + at[j]] = w[i * q + j];
  return out;
}

/** Expands weights of some channels' mean amplitudes to all `channels`, with zeros for the others. */
export function overAll({ weights, bias }: LinearHead, at: readonly number[], channels: number): LinearHead {
  const windows = weights.length / bias.length / at.length;
  const out = new Float64Array(bias.length * channels * windows);
  bias.forEach((_, k) =>
    at.forEach((channel, c) => {
      const from = (k * at.length + c) * windows;
      out.set(weights.subarray(from, from + windows), (k * channels + channel) * windows);
    }),
  );
  return { weights: out, bias };
}

/** The covariances of some channels for all trials, computed once for all folds. */
export function someChannels(features: Features, set: string, at: readonly number[], workspace: Workspace): Features {
  return workspace.once([features], `channels ${at.join()}:${set}`, () => {
    const p = features.shape.channels;
    const [from, to] = [packedSize(p), packedSize(at.length)];
    const places = at.flatMap((a, i) => at.slice(i).map((b) => packedAt(Math.min(a, b), Math.max(a, b), p)));
    const values = features.sets[set];
    const out = new Float64Array(features.trials * to);
    for (let t = 0; t < features.trials; t += 1)
      for (let k = 0; k < to; k += 1) out[t * to + k] = values[t * from + places[k]];
    const channelNames = at.map((channel) => features.shape.channelNames[channel]);
    return { ...features, shape: { ...features.shape, channels: at.length, channelNames }, sets: { [set]: out } };
  });
}
