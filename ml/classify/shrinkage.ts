import { gram, rootsOrOne, transpose } from '../linalg/index.ts';
import { squareOf } from '../matrix.ts';
import type { Matrix } from '../matrix.ts';

/** A feature whose mean square is below this fraction of the greatest holds only rounding errors. */
const rounding = 1e-24;

/**
 * Sets the mean squares of centred features to 0, in place, where they are only rounding errors, for example the
 * covariances of a flat channel. Scaled to unit variance, such features would count as much as any other.
 */
export function withoutRounding(squares: Float64Array): Float64Array {
  let greatest = 0;
  for (let j = 0; j < squares.length; j += 1) greatest = Math.max(greatest, squares[j]);
  for (let j = 0; j < squares.length; j += 1) if (squares[j] < rounding * greatest) squares[j] = 0;
  return squares;
}

/**
 * Ledoit–Wolf covariance [d × d] of centred rows [n × d], computed on features scaled to unit variance and scaled back,
 * as the 'auto' shrinkage of scikit-learn's LDA.
 *
 * Source: Ledoit & Wolf 2004.
 */
export function ledoitWolfScaled({ data: rows, rows: n, columns: d }: Matrix): Matrix {
  const own = new Float64Array(d);
  for (let i = 0; i < n; i += 1) for (let j = 0; j < d; j += 1) own[j] += rows[i * d + j] ** 2;
  for (let j = 0; j < d; j += 1) own[j] /= n;
  const scale = rootsOrOne(withoutRounding(own));
  const z = new Float64Array(n * d);
  for (let i = 0; i < n; i += 1) for (let j = 0; j < d; j += 1) z[i * d + j] = rows[i * d + j] / scale[j];
  const covariance = gram(transpose({ data: z, rows: n, columns: d })).data;
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
  return squareOf(covariance, d);
}
