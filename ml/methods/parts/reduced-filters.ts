import { eigh, gram, transpose } from '../../linalg/index.ts';
import { matrixOf } from '../../matrix.ts';

/** Most directions of channel space that filters span. */
export const mostDirections = 16;

/**
 * At most `most` filters [rows × channels] that give trials the same inner products as `filters`, or the closest ones.
 */
export function reducedTo(most: number, filters: Float64Array, channels: number): Float64Array {
  const rows = filters.length / channels;
  const kept = Math.min(most, channels, mostDirections);
  if (rows <= kept) return filters;
  const eigen = eigh(gram(transpose(matrixOf(filters, channels, rows))));
  return Float64Array.from({ length: kept * channels }, (_, at) => {
    const j = channels - 1 - Math.floor(at / channels);
    return eigen.vectors.data[(at % channels) * channels + j] * Math.sqrt(Math.max(0, eigen.values[j]));
  });
}
