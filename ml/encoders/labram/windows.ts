/** Sampling rate of LaBraM's input, and samples of a patch (one second). */
export const [rateHz, patchSamples] = [200, 200];

/**
 * Most patches in time, and most tokens, in one pass: the network has learned 16 positions in time, and was trained on
 * passes of about 256 tokens.
 */
const [mostPatches, mostTokens] = [16, 256];

/** Windows of equal length that cover a trial. */
export interface Windows {
  /** Length of each in patches (whole seconds). */
  readonly patches: number;
  /** First sample of each, at 200 Hz. */
  readonly starts: readonly number[];
}

/**
 * Splits a trial of `samples` at 200 Hz into the fewest windows of equal length that cover it, evenly spaced. A window
 * has at most 16 s, and at most 256 patches over all channels, as in training (run_labram_pretraining.py chooses the
 * window of each data set by the same rule). So no window is longer than the network knows, and the cost of a trial
 * grows linearly with its length. Each window ignores less than one second of the trial.
 *
 * @throws RangeError if the trial is shorter than one second.
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
