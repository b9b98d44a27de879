import { eigh, gram, transpose } from '../../linalg/index.ts';

/** Directions of space that filters span at most. */
export const mostDirections = 16;

/**
 * At most `most` filters [rows × channels] through which trials have the same inner products as through those given, or
 * the nearest.
 */
export function reducedTo(most: number, filters: Float64Array, channels: number): Float64Array {
  const rows = filters.length / channels;
  const kept = Math.min(most, channels, mostDirections);
  if (rows <= kept) return filters;
  const eigen = eigh(gram(transpose(filters, rows, channels), channels, rows), channels);
  return Float64Array.from({ length: kept * channels }, (_, at) => {
    const j = channels - 1 - Math.floor(at / channels);
    return eigen.vectors[(at % channels) * channels + j] * Math.sqrt(Math.max(0, eigen.values[j]));
  });
}
