import { gram, transpose } from '../linalg/index.ts';

/**
 * Ledoit–Wolf covariance of centred rows [n × d], computed on features scaled to unit variance and scaled back
 * (Ledoit & Wolf 2004; the 'auto' shrinkage of scikit-learn's LDA).
 */
export function ledoitWolfScaled(rows: Float64Array, n: number, d: number): Float64Array {
  const scale = new Float64Array(d);
  for (let i = 0; i < n; i += 1) for (let j = 0; j < d; j += 1) scale[j] += rows[i * d + j] ** 2;
  for (let j = 0; j < d; j += 1) scale[j] = Math.sqrt(scale[j] / n) || 1;
  const z = new Float64Array(n * d);
  for (let i = 0; i < n; i += 1) for (let j = 0; j < d; j += 1) z[i * d + j] = rows[i * d + j] / scale[j];
  const covariance = gram(transpose(z, n, d), d, n);
  for (let j = 0; j < covariance.length; j += 1) covariance[j] /= n;
  let mean = 0;
  for (let j = 0; j < d; j += 1) mean += covariance[j * d + j] / d;
  let fourth = 0;
  for (let i = 0; i < n; i += 1) {
    let square = 0;
    for (let j = 0; j < d; j += 1) square += z[i * d + j] ** 2;
    fourth += square * square;
  }
  let squares = 0;
  for (let j = 0; j < covariance.length; j += 1) squares += covariance[j] ** 2;
  const beta = (fourth / n - squares) / (d * n);
  const delta = (squares - 2 * mean * mean * d + d * mean * mean) / d;
  const shrinkage = delta > 0 ? Math.min(1, Math.max(0, Math.min(beta, delta) / delta)) : 0;
  for (let i = 0; i < d; i += 1) {
    for (let j = 0; j < d; j += 1) {
      const value = (1 - shrinkage) * covariance[i * d + j] + (i === j ? shrinkage * mean : 0);
      covariance[i * d + j] = value * scale[i] * scale[j];
    }
  }
  return covariance;
}
