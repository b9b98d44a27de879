/**
 * The kernels take addresses and sizes as flat arguments. AssemblyScript would allocate an object on its heap for each
 * call, but the caller manages the memory here (`../memory.ts`).
 */
export { columnsToGroups, detrendGroups, fromGroups, groupMeans, groupProducts, toGroups, windowMeans } from './groups';
export { byteProducts } from './bytes';
export { addRows, addSquares, scaleColumns, spreadScaled, standardise } from './columns';
export { shrunkCovariance } from './covariance';
export { filterGroups } from './filter';
export { composeBatch, congruenceBatch, eigenBatch, eigenWork, mirror, spread } from './spectral';
export { logarithmOf, logarithmWork, reduceBounded } from './logarithm';
export { laggedProducts } from './lagged';
export { stackedProducts } from './stacked';
export { choleskyFactor, solveTriangular } from './factor';
export { addThenDot, dot, timesVector, transposedTimesVector } from './vector';
export { quadraticReadings } from './readings';
export { cellsOfTrial, whitenCells } from './cells';
export { sketchCells } from './sketch';
export { resampleRows } from './resample';
export { powerOfSegments } from './fft';

/** Address where free memory starts. */
export function heapBase(): usize {
  return (__heap_base + 63) & ~63;
}
