/**
 * Symmetric positive definite matrices: shrinkage, means, tangent spaces. Batches are float64 [n × p × p],
 * row-major.
 */
export { regularise, shrinkOas } from './covariance.ts';
export { packInto, packUpper, packedAt, packedSize, sideOf, unpackUpper } from './pack.ts';
export { expm, invsqrtm, logm, meanOfLogs, powm, sqrtm } from './spectral.ts';
export { stackedCovariances } from './stacked.ts';
export type { Templates } from './stacked.ts';
export { congruence } from './congruence.ts';
export { meanLogEuclid, meanRiemann } from './mean.ts';
export { logVectorsThrough, tangentVectors } from './tangent.ts';
export { distancesRiemann } from './distance.ts';
