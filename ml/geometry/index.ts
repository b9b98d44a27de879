/**
 * Symmetric positive definite (SPD) matrices: shrinkage, means, tangent spaces. A batch is a `Matrices` [n × p × p]
 * (`ml/matrix.ts`); functions that take either give a matrix for a matrix and a batch for a batch.
 */
export { regularise, shrinkOas } from './covariance.ts';
export { packInto, packUpper, packedAt, packedSize, sideOf, unpackMatrix, unpackUpper } from './pack.ts';
export { expm, invsqrtm, logm, meanOfLogs, powm, sqrtm } from './spectral.ts';
export { stackedCovariances } from './stacked.ts';
export type { Templates } from './stacked.ts';
export { congruence } from './congruence.ts';
export { meanLogEuclid, meanRiemann } from './mean.ts';
export { logVectorsThrough, tangentVectors } from './tangent.ts';
export { distancesRiemann } from './distance.ts';
