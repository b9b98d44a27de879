/** Log powers of trials, [trials × channels × bins × frames]. */
export interface LogPowers {
  readonly data: Float32Array;
  readonly trials: number;
  readonly channels: number;
  readonly bins: number;
  readonly frames: number;
}

/**
 * Mean and mean square of each trial's log powers over its frames. A channel without signal in a trial uses those of a
 * channel with signal. [trials × 2 · channels · bins]
 */
export function momentsOf({ data, trials, channels, bins, frames }: LogPowers): Float64Array {
  const cells = channels * bins;
  const size = cells * frames;
  const out = new Float64Array(trials * 2 * cells);
  for (let trial = 0; trial < trials; trial += 1) {
    const feeds = feedsOf(data.subarray(trial * size, (trial + 1) * size), channels, bins * frames);
    for (let cell = 0; cell < cells; cell += 1) {
      const from = feeds[Math.floor(cell / bins)] * bins + (cell % bins);
      let [sum, squares] = [0, 0];
      for (let f = 0, at = trial * size + from * frames; f < frames; f += 1, at += 1) {
        sum += data[at];
        squares += data[at] * data[at];
      }
      out[trial * 2 * cells + cell] = sum / frames;
      out[(trial * 2 + 1) * cells + cell] = squares / frames;
    }
  }
  return out;
}

/** Log10 power below which a frame has no signal: no amplifier is so quiet. */
const nothing = -18;

/** Source channel of each channel of a trial: itself, or, if it has no signal in any frame, the first one that has. */
function feedsOf(powers: Float32Array, channels: number, width: number): readonly number[] {
  const all = Array.from({ length: channels }, (_, c) => c);
  const live = all.filter((c) => powers.subarray(c * width, (c + 1) * width).some((power) => power > nothing));
  return all.map((c) => (live.length === 0 || live.includes(c) ? c : live[0]));
}

/** Reference for standardising log powers: a mean and a mean square for each channel and bin, over this many trials. */
export interface Standard {
  readonly trials: number;
  /** [2 · channels · bins] */
  readonly moments: Float64Array;
}

/** Weight of the training trials, in trials, when a recording has few trials. */
const priorTrials = 8;

/** Mean moments over the trials at `rows`. With `prior`, as if `priorTrials` more trials had its moments. */
export function pooled(
  moments: Float64Array,
  width: number,
  rows: ArrayLike<number>,
  prior: Standard | null = null,
): Standard {
  const out = new Float64Array(width);
  const before = prior ? priorTrials : 0;
  const trials = rows.length + before;
  if (prior) for (let j = 0; j < width; j += 1) out[j] = (before / trials) * prior.moments[j];
  for (let i = 0; i < rows.length; i += 1)
    for (let j = 0, at = rows[i] * width; j < width; j += 1, at += 1) out[j] += moments[at] / trials;
  return { trials, moments: out };
}

/** Largest absolute value of a standardised log power. */
const most = 10;

/** A smaller spread is treated as none. */
const floor = 1e-6;

/**
 * Log powers of the trials at `rows`, standardised for each channel and bin, [rows × channels × bins × frames]. The
 * variance is divided by the number of frames minus 1, as in training. A channel without signal in a trial gets the
 * values of another one: the network needs no particular channel, and a duplicate changes nothing.
 */
export function standardised(
  { data, channels, bins, frames }: LogPowers,
  rows: ArrayLike<number>,
  { trials, moments }: Standard,
): Float32Array {
  const cells = channels * bins;
  const size = cells * frames;
  const out = new Float32Array(rows.length * size);
  const unbiased = (trials * frames) / Math.max(1, trials * frames - 1);
  for (let cell = 0; cell < cells; cell += 1) {
    const mean = moments[cell];
    const scale = 1 / (Math.sqrt(unbiased * Math.max(0, moments[cells + cell] - mean * mean)) + floor);
    for (let i = 0; i < rows.length; i += 1) {
      const from = rows[i] * size + cell * frames;
      const to = i * size + cell * frames;
      for (let f = 0; f < frames; f += 1)
        out[to + f] = Math.min(most, Math.max(-most, (data[from + f] - mean) * scale));
    }
  }
  const width = bins * frames;
  for (let i = 0; i < rows.length; i += 1)
    feedsOf(data.subarray(rows[i] * size, (rows[i] + 1) * size), channels, width).forEach((feed, c) => {
      const from = i * size + feed * width;
      if (feed !== c) out.copyWithin(i * size + c * width, from, from + width);
    });
  return out;
}
