/**
 * Two numbers of a channel that differ by more than this (microvolts, or fraction of the value) differ by more than
 * rounding.
 */
const rounding = { absolute: 1e-6, relative: 1e-6 } as const;

/** Trials of `data` [trials × channels × samples] in which every channel is constant. */
export function flatTrials(data: Float32Array, trials: number, channels: number, samples: number): number[] {
  const size = channels * samples;
  const flat: number[] = [];
  for (let trial = 0; trial < trials; trial++) {
    let at = trial * size;
    const end = at + size;
    for (; at < end; at++) {
      const first = data[at - (at % samples)];
      if (Math.abs(data[at] - first) > Math.max(rounding.absolute, rounding.relative * Math.abs(first))) break;
    }
    if (at === end) flat.push(trial);
  }
  return flat;
}
