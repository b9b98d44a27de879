/**
 * Symmetric positive definite matrices: covariance estimators, means, tangent spaces. Batches are float64 [n × p × p],
 * row-major.
 */
export { covarianceEstimators, covariances, regularise, shrinkOas } from './covariance.ts';
export type { CovarianceEstimator } from './covariance.ts';
export { packInto, packUpper, packedAt, packedSize, sideOf, unpackUpper } from './pack.ts';
export { expm, invsqrtm, logm, meanOfLogs, powm, sqrtm } from './spectral.ts';
export { stackedCovariances } from './stacked.ts';
export type { Templates } from './stacked.ts';
export { congruence } from './congruence.ts';
export { meanLogEuclid, meanRiemann } from './mean.ts';
export type { RiemannMeanOptions } from './mean.ts';
export type { MeanOptions } from './selection.ts';
export type { Blocks } from './tangent.ts';
export { logVectorsThrough, tangentVectors } from './tangent.ts';
export { distancesRiemann } from './distance.ts';
