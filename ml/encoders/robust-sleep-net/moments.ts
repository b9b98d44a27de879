/** Log powers of trials, [trials × channels × bins × frames]. */
export interface LogPowers {
  readonly data: Float32Array;
  readonly trials: number;
  readonly channels: number;
  readonly bins: number;
  readonly frames: number;
}

/** Rows of a table of moments, a mean and a mean square for each channel and bin: [2 · channels · bins]. */
export const momentsWidth = (channels: number, bins: number): number => 2 * channels * bins;

/** Mean and mean square of each trial's log powers over its frames. [trials × `momentsWidth`] */
export function momentsOf({ data, trials, channels, bins, frames }: LogPowers): Float64Array {
  const cells = channels * bins;
  const out = new Float64Array(trials * 2 * cells);
  for (let trial = 0; trial < trials; trial += 1)
    for (let cell = 0; cell < cells; cell += 1) {
      let [sum, squares] = [0, 0];
      for (let f = 0, at = (trial * cells + cell) * frames; f < frames; f += 1, at += 1) {
        sum += data[at];
        squares += data[at] * data[at];
      }
      out[trial * 2 * cells + cell] = sum / frames;
      out[(trial * 2 + 1) * cells + cell] = squares / frames;
    }
  return out;
}

/** Trials that the training trials count as where few trials of a recording are read together. */
const priorTrials = 8;

/**
 * Means and mean squares over the trials at `rows`; where `prior` is given, as if `priorTrials` trials with its moments
 * were among them. [`momentsWidth`]
 */
export function pooled(moments: Float64Array, width: number, rows: ArrayLike<number>, prior?: Float64Array | null) {
  const out = new Float64Array(width);
  const before = prior ? priorTrials : 0;
  const share = 1 / (rows.length + before);
  if (prior) for (let j = 0; j < width; j += 1) out[j] = before * share * prior[j];
  for (let i = 0; i < rows.length; i += 1)
    for (let j = 0, at = rows[i] * width; j < width; j += 1, at += 1) out[j] += share * moments[at];
  return out;
}

/** Standard deviations from the mean that a standardised log power reaches at most: a dead channel stays finite. */
const most = 10;

/** Log powers of the trials at `rows`, standardised for each channel and bin. [rows × channels × bins × frames] */
export function standardised(
  { data, channels, bins, frames }: LogPowers,
  rows: ArrayLike<number>,
  standard: Float64Array,
): Float32Array {
  const cells = channels * bins;
  const size = cells * frames;
  const out = new Float32Array(rows.length * size);
  for (let cell = 0; cell < cells; cell += 1) {
    const mean = standard[cell];
    const scale = 1 / (Math.sqrt(Math.max(0, standard[cells + cell] - mean * mean)) + 1e-6);
    for (let i = 0; i < rows.length; i += 1) {
      const from = rows[i] * size + cell * frames;
      const to = i * size + cell * frames;
      for (let f = 0; f < frames; f += 1)
        out[to + f] = Math.min(most, Math.max(-most, (data[from + f] - mean) * scale));
    }
  }
  return out;
}
