/** Rate at which LaBraM reads signals, and samples of a patch: one second. */
export const [rateHz, patchSamples] = [200, 200];

/** Patches that one pass reads at most: places in time that the network has learned, and tokens it was trained on. */
const [mostPatches, mostTokens] = [16, 256];

/** Windows of equal length in which a trial is read. */
export interface Windows {
  /** Whole seconds of each. */
  readonly patches: number;
  /** First sample of each, at 200 Hz. */
  readonly starts: readonly number[];
}

/**
 * The fewest windows of equal length that reach over a trial of `samples` at 200 Hz, spread evenly: of at most 16 s,
 * and of no more patches of all channels together than the 256 or so that a pass read in training
 * (run_labram_pretraining.py picks the window of each data set so). What a window reads is thus what the network knows,
 * the cost of a long trial grows with its length and not with its square, and nothing of it is ignored but a rest of
 * less than one second for each window.
 */
export function windowsOf(channels: number, samples: number): Windows {
  const most = Math.max(1, Math.min(mostPatches, Math.floor(mostTokens / channels)));
  const seconds = Math.floor(samples / patchSamples);
  if (seconds < 1) throw new RangeError(`A trial of ${samples} samples at ${rateHz} Hz is shorter than one second.`);
  const count = Math.ceil(seconds / most);
  const patches = Math.floor(seconds / count);
  const spare = samples - patches * patchSamples;
  return {
    patches,
    starts: Array.from({ length: count }, (_, i) => (count === 1 ? 0 : Math.round((i * spare) / (count - 1)))),
  };
}
