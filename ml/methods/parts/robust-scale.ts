/**
 * Medians, then spreads (from the 5th to the 95th percentile), of the columns of some rows of a table [2 × width];
 * between two values a percentile is interpolated.
 */
export function placeAndSpread(values: Float64Array, width: number, rows: Int32Array): Float64Array {
  const out = new Float64Array(2 * width);
  const column = new Float64Array(rows.length);
  const at = (share: number): number => {
    const place = share * (rows.length - 1);
    const below = column[Math.floor(place)];
    return below + (place - Math.floor(place)) * (column[Math.ceil(place)] - below);
  };
  for (let j = 0; j < width; j += 1) {
    rows.forEach((row, i) => (column[i] = values[row * width + j]));
    column.sort();
    out[j] = at(0.5);
    out[width + j] = at(0.95) - at(0.05);
  }
  return out;
}

/**
 * Values [rows × width] of one recording, moved and scaled towards the medians and spreads of the training trials: the
 * robust scaling by night of Vallat & Walker 2021 (eLife 10:e70092), in part where the rows are few (`trust` below 1).
 */
export function rescaled(
  values: Float64Array,
  width: number,
  rows: Int32Array,
  centre: Float64Array,
  trust: number,
): Float64Array {
  const own = placeAndSpread(values, width, rows);
  const out = new Float64Array(rows.length * width);
  for (let j = 0; j < width; j += 1) {
    const ratio = centre[width + j] / own[width + j];
    const scale = ratio > 0 && Number.isFinite(ratio) ? ratio ** trust : 1;
    const place = centre[j] + (1 - trust) * (own[j] - centre[j]);
    rows.forEach((row, i) => (out[i * width + j] = place + scale * (values[row * width + j] - own[j])));
  }
  return out;
}
