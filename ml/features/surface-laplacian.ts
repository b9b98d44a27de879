import { inverseSpd, matmul, solve } from '../linalg/index.ts';
import { matrixOf, squareOf } from '../matrix.ts';
import type { Matrix } from '../matrix.ts';
import { electrodeNames, headPositionOf } from '../channels/index.ts';
import type { Position } from '../channels/index.ts';

/** Terms of the Legendre series, stiffness of the spline and smoothing (Perrin 1989; Kayser & Tenke 2006). */
const terms = 50;
const stiffness = 4;
const smoothing = 1e-5;

const scale = (a: Position, by: number): Position => [a[0] * by, a[1] * by, a[2] * by];
const minus = (a: Position, b: Position): Position => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];

/** Centre of the sphere that fits the template's electrodes best (least squares), head frame, metres. */
const headCentre: Position = (() => {
  const rows = electrodeNames.map((name) => [...headPositionOf(name)!, 1]);
  const right = rows.map(([x, y, z]) => x * x + y * y + z * z);
  const normal = Float64Array.from({ length: 16 }, (_, k) =>
    rows.reduce((sum, row) => sum + row[k >> 2] * row[k & 3], 0),
  );
  const projected = Float64Array.from({ length: 4 }, (_, k) =>
    rows.reduce((sum, row, i) => sum + row[k] * right[i], 0),
  );
  const [x, y, z] = solve(squareOf(normal, 4), matrixOf(projected, 1))!.data;
  return [x / 2, y / 2, z / 2];
})();

/**
 * Surface Laplacian by spherical splines: the matrix [p × p] that converts potentials (µV) at p electrodes to current
 * source densities, in µV per squared radius of the unit sphere.
 *
 * Throws RangeError if the positions define no Laplacian, for example two electrodes in one direction.
 *
 * @param positions Head frame, metres. Only the direction from `centre` counts.
 *
 * Source: Perrin et al. 1989.
 */
export function surfaceLaplacian(positions: readonly Position[], centre: Position = headCentre): Matrix {
  const p = positions.length;
  const units = positions.map((position) => {
    const d = minus(position, centre);
    return scale(d, 1 / (Math.hypot(...d) || 1));
  });
  const g = new Float64Array(p * p);
  const h = new Float64Array(p * p);
  for (let i = 0; i < p; i++) {
    for (let j = 0; j <= i; j++) {
      const cosine = units[i][0] * units[j][0] + units[i][1] * units[j][1] + units[i][2] * units[j][2];
      const series = splines(Math.max(-1, Math.min(1, cosine)));
      g[i * p + j] = g[j * p + i] = series.g;
      h[i * p + j] = h[j * p + i] = series.h;
    }
    g[i * p + i] += smoothing;
  }
  const inverse = inverseSpd(squareOf(g, p));
  if (!inverse) throw new RangeError('These electrode positions define no surface Laplacian.');
  return matmul(squareOf(h, p), squareOf(centred(inverse.data, p), p));
}

/** The spline weights of coefficients without their average: G⁻¹ minus its projection on the constant. */
function centred(inverse: Float64Array, p: number): Float64Array {
  const sums = Float64Array.from({ length: p }, (_, i) =>
    inverse.subarray(i * p, (i + 1) * p).reduce((a, b) => a + b, 0),
  );
  const total = sums.reduce((a, b) => a + b, 0);
  return inverse.map((value, k) => value - (sums[Math.floor(k / p)] * sums[k % p]) / total);
}

/** g and h of Perrin 1989 at the cosine of an angle: Legendre series by the three-term recursion. */
function splines(cosine: number): { g: number; h: number } {
  let before = 1;
  let legendre = cosine;
  let g = 0;
  let h = 0;
  for (let n = 1; n <= terms; n++) {
    const degree = n * (n + 1);
    g += ((2 * n + 1) / degree ** stiffness) * legendre;
    h += ((2 * n + 1) / degree ** (stiffness - 1)) * legendre;
    [before, legendre] = [legendre, ((2 * n + 1) * cosine * legendre - n * before) / (n + 1)];
  }
  return { g: g / (4 * Math.PI), h: h / (4 * Math.PI) };
}
