import { solve } from '../../../../ml/linalg/solve.ts';
import type { Position } from '../../../../ml/channels/index.ts';

const terms = 50;
/** Order of the spline, as in the paper. */
const order = 4;
const weights = Float64Array.from(
  { length: terms + 1 },
  (_, n) => (n === 0 ? 0 : (2 * n + 1) / (n * (n + 1)) ** order) / (4 * Math.PI),
);

/** The kernel between two directions, a sum of Legendre polynomials of the cosine between them. */
function kernel(a: Position, b: Position): number {
  const cosine = Math.max(-1, Math.min(1, a[0] * b[0] + a[1] * b[1] + a[2] * b[2]));
  let before = 1;
  let now = cosine;
  let sum = weights[1] * now;
  for (let n = 2; n <= terms; n++) {
    const next = ((2 * n - 1) * cosine * now - (n - 1) * before) / n;
    before = now;
    now = next;
    sum += weights[n] * now;
  }
  return sum;
}

/**
 * Interpolation between electrodes by spherical splines (Perrin et al. 1989, Electroencephalogr. Clin. Neurophysiol.
 * 72:184). At the sites it returns the measured values, one per site. Returns one value per point. Null if two sites
 * are at the same place.
 */
export function sphericalSpline(
  sites: readonly Position[],
  points: readonly Position[],
): (values: readonly number[]) => Float64Array | null {
  const n = sites.length;
  const size = n + 1;
  const matrix = new Float64Array(size * size);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) matrix[i * size + j] = kernel(sites[i], sites[j]);
    matrix[i * size + n] = 1;
    matrix[n * size + i] = 1;
  }
  const basis = new Float64Array(points.length * n);
  points.forEach((point, i) => sites.forEach((site, j) => (basis[i * n + j] = kernel(point, site))));
  return (values) => {
    const right = { data: Float64Array.from([...values, 0]), rows: size, columns: 1 };
    const found = solve({ data: matrix, rows: size, columns: size }, right)?.data;
    if (!found || found.some((each) => !Number.isFinite(each))) return null;
    return Float64Array.from(points, (_, i) => {
      let sum = found[n];
      for (let j = 0; j < n; j++) sum += basis[i * n + j] * found[j];
      return sum;
    });
  };
}
