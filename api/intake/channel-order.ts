import type { SignalShape, Trials } from '../../ml/types.ts';

/** Trials with their rows in the order of `names`, which contains the same channels. [trials × channels × samples] */
export function inChannelOrder(trials: Trials, names: readonly string[]): Trials {
  const order = names.map((name) => trials.channelNames.indexOf(name));
  if (order.every((row, at) => row === at)) return trials;
  const { channels, samples } = trials;
  const data = new Float32Array(trials.data.length);
  for (let trial = 0; trial < trials.trials; trial++) {
    const first = trial * channels;
    order.forEach((row, at) =>
      data.set(trials.data.subarray((first + row) * samples, (first + row + 1) * samples), (first + at) * samples),
    );
  }
  const { positions } = trials;
  return {
    ...trials,
    data,
    channelNames: [...names],
    ...(positions ? { positions: order.map((row) => positions[row]) } : {}),
  };
}

/**
 * Adds the positions and the stride of an earlier request, if this request sends none: the same cap is read in the same
 * way.
 */
export const likeFitted = (
  trials: Trials,
  { positions, strideSeconds }: Pick<SignalShape, 'positions' | 'strideSeconds'> = {},
): Trials => ({
  ...(positions ? { positions } : {}),
  ...(strideSeconds === undefined ? {} : { strideSeconds }),
  ...trials,
});
