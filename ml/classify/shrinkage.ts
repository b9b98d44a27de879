import { gram, rootsOrOne, transpose } from '../linalg/index.ts';

/** Mean square of a feature, beside the greatest, below which it is what rounding left. */
const rounding = 1e-24;

/**
 * Mean squares of centred features, 0 for those that hold nothing but rounding, as the covariances of a dead channel
 * with others: scaled to unit variance, these would count as much as any other. Done in place.
 */
export function withoutRounding(squares: Float64Array): Float64Array {
  let greatest = 0;
  for (let j = 0; j < squares.length; j += 1) greatest = Math.max(greatest, squares[j]);
  for (let j = 0; j < squares.length; j += 1) if (squares[j] < rounding * greatest) squares[j] = 0;
  return squares;
}

/**
 * Ledoit–Wolf covariance of centred rows [n × d], computed on features scaled to unit variance and scaled back
 * (Ledoit & Wolf 2004; the 'auto' shrinkage of scikit-learn's LDA).
 */
export function ledoitWolfScaled(rows: Float64Array, n: number, d: number): Float64Array {
  const own = new Float64Array(d);
  for (let i = 0; i < n; i += 1) for (let j = 0; j < d; j += 1) own[j] += rows[i * d + j] ** 2;
  for (let j = 0; j < d; j += 1) own[j] /= n;
  const scale = rootsOrOne(withoutRounding(own));
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
