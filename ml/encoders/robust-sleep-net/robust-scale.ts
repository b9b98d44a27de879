/** Spans of the lower and upper half of the middle that the signal is clipped to, and the least range. */
const [widest, least] = [40, 1e-5];

/**
 * Scales each channel of `rows` (trials of one recording) in place: clipped to 40 times the distance from quartile to
 * median on either side, then without its median, in units of its interquartile range.
 *
 * @param data [trials × channels × samples]
 */
export function robustScale(
  data: Float32Array,
  rows: ArrayLike<number>,
  { channels, samples }: { readonly channels: number; readonly samples: number },
): void {
  const all = new Float32Array(rows.length * samples);
  for (let channel = 0; channel < channels; channel++) {
    const at = (i: number): number => (rows[i] * channels + channel) * samples;
    for (let i = 0; i < rows.length; i++) all.set(data.subarray(at(i), at(i) + samples), i * samples);
    all.sort();
    const [low, middle, high] = quartilesOf(all);
    const [bottom, top] = [-widest * (middle - low), widest * (high - middle)];
    const clip = (value: number): number => Math.min(Math.max(value, bottom), top);
    const [q25, median, q75] = quartilesOf(all, clip);
    const range = q75 - q25 || least;
    for (let i = 0; i < rows.length; i++)
      for (let k = at(i); k < at(i) + samples; k++) data[k] = (clip(data[k]) - median) / range;
  }
}

/** Quartiles of sorted numbers, between neighbours in proportion, of what `seen` makes of each (a rising function). */
function quartilesOf(sorted: Float32Array, seen = (value: number): number => value): [number, number, number] {
  const at = (share: number): number => {
    const place = share * (sorted.length - 1);
    const below = Math.floor(place);
    const above = Math.min(below + 1, sorted.length - 1);
    return seen(sorted[below]) + (place - below) * (seen(sorted[above]) - seen(sorted[below]));
  };
  return [at(0.25), at(0.5), at(0.75)];
}
