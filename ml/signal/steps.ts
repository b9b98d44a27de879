/** Seconds that a step takes: one period of European mains, which it does not see. */
const stepSeconds = 0.02;

/**
 * Root mean square of how far each row [rows × samples] moves in 20 ms. [rows] Offsets, slow drifts and blinks hardly
 * count, the rhythms of the EEG do, and so does whatever drowns them: movements, pops of an electrode, muscles.
 */
export function stepsOf(data: Float32Array, rows: number, samples: number, rateHz: number): Float64Array {
  const lag = Math.max(1, Math.min(samples - 1, lagOf(rateHz)));
  return Float64Array.from({ length: rows }, (_, row) =>
    Math.sqrt(meanSquareStep(data, row * samples + lag, (row + 1) * samples, lag)),
  );
}

/** Samples that a step takes. */
export const lagOf = (rateHz: number): number => Math.max(1, Math.round(stepSeconds * rateHz));

/** Mean square of how far a signal has moved in `lag` samples at each of its samples `from` to `to`. */
export function meanSquareStep(data: ArrayLike<number>, from: number, to: number, lag: number): number {
  let square = 0;
  for (let i = from; i < to; i += 1) square += (data[i] - data[i - lag]) ** 2;
  return square / Math.max(1, to - from);
}
