/**
 * The kernels take flat arguments, addresses and sizes: AssemblyScript would allocate an object on its heap for each
 * call, and the memory here is managed by the caller (`../memory.ts`).
 */
export { columnsToGroups, detrendGroups, fromGroups, groupMeans, groupProducts, toGroups, windowMeans } from './groups';
export { addRows, addSquares, scaleColumns, spreadScaled, standardise } from './columns';
export { shrunkCovariance } from './covariance';
export { filterGroups } from './filter';
export { composeBatch, congruenceBatch, eigenBatch, eigenWork, mirror, spread } from './spectral';
export { logarithmOf, logarithmWork, reduceBounded } from './logarithm';
export { laggedProducts } from './lagged';
export { stackedProducts } from './stacked';
export { choleskyFactor, solveTriangular } from './factor';
export { addThenDot, dot, timesVector, transposedTimesVector } from './vector';
export { resampleRows } from './resample';
export { powerOfSegments } from './fft';

/** Where free memory starts. */
export function heapBase(): usize {
  return (__heap_base + 63) & ~63;
}
