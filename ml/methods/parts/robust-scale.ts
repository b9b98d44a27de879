import type { Matrix } from '../../matrix.ts';

/**
 * Median and spread (5th to 95th percentile) of each column over some rows of a table: all medians, then all spreads
 * [2 × columns]. Percentiles between two values are interpolated.
 */
export function medianAndSpread({ data: values, columns: width }: Matrix, rows: Int32Array): Float64Array {
  const out = new Float64Array(2 * width);
  const column = new Float64Array(rows.length);
  const at = (quantile: number): number => {
    const place = quantile * (rows.length - 1);
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
 * Shifts and scales the rows of one recording, so that the median and spread of each column move towards `centre`,
 * those of the training trials (`medianAndSpread`). `trust`, 0 to 1: fraction of the way. Source: robust scaling by
 * night, Vallat & Walker 2021, eLife 10:e70092.
 */
export function rescaled(table: Matrix, rows: Int32Array, centre: Float64Array, trust: number): Float64Array {
  const { data: values, columns: width } = table;
  const own = medianAndSpread(table, rows);
  const out = new Float64Array(rows.length * width);
  for (let j = 0; j < width; j += 1) {
    const ratio = centre[width + j] / own[width + j];
    const scale = ratio > 0 && Number.isFinite(ratio) ? ratio ** trust : 1;
    const place = centre[j] + (1 - trust) * (own[j] - centre[j]);
    rows.forEach((row, i) => (out[i * width + j] = place + scale * (values[row * width + j] - own[j])));
  }
  return out;
}
