import { headPositionOf, sites19 } from '../../channels/index.ts';
import type { Position } from '../../channels/index.ts';
import { eigenvalues, solve } from '../../linalg/index.ts';
import { matrixOf, squareOf, squaresOf } from '../../matrix.ts';
import type { GraphTensor } from '../types.ts';

/** Width of the kernel and reach of an edge, on a head of radius 1: those of the graph that the model learned on. */
const [width, reach] = [0.51915676, 0.9];
const noEdge = 1e-6;

const minus = (a: Position, b: Position): Position => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];

/** Centre of the sphere that fits the 19 sites of the template best (least squares), head frame, metres. */
const centre: Position = (() => {
  const rows = sites19.map((name) => [...headPositionOf(name)!, 1]);
  const normal = Float64Array.from({ length: 16 }, (_, k) =>
    rows.reduce((sum, row) => sum + row[k >> 2] * row[k & 3], 0),
  );
  const right = Float64Array.from({ length: 4 }, (_, k) =>
    rows.reduce((sum, row) => sum + row[k] * (row[0] ** 2 + row[1] ** 2 + row[2] ** 2), 0),
  );
  const [x, y, z] = solve(squareOf(normal, 4), matrixOf(right, 1))!.data;
  return [x / 2, y / 2, z / 2];
})();

/** Electrodes (head frame, metres) on the sphere of radius 1, by their direction from its centre. */
export const onUnitSphere = (positions: readonly Position[]): Position[] =>
  positions.map((position) => {
    const [x, y, z] = minus(position, centre);
    const length = Math.hypot(x, y, z) || 1;
    return [x / length, y / length, z / length];
  });

/**
 * The graph's support [sites, sites] from positions on the unit sphere. A is the Gaussian weight of pairs that are
 * nearer than 0.9, L = I − D^(−1/2) A D^(−1/2) its symmetric normalised Laplacian, and λ the largest eigenvalue of L.
 * The support is 2 L / λ − I. Without any edge it is −I.
 */
export function support(positions: readonly Position[]): GraphTensor {
  const n = positions.length;
  const near = positions.map((a) =>
    positions.map((b) => {
      const d = Math.hypot(...minus(a, b));
      return d > reach ? 0 : Math.exp(-((d / width) ** 2));
    }),
  );
  const degree = near.map((row) => row.reduce((sum, value) => sum + value, 0));
  const laplacian = Float64Array.from({ length: n * n }, (_, k) => {
    const [i, j] = [Math.floor(k / n), k % n];
    return Number(i === j) - near[i][j] / Math.sqrt(degree[i] * degree[j]);
  });
  const largest = eigenvalues(squaresOf(laplacian, n, 1))[n - 1];
  const scale = largest < noEdge ? 0 : 2 / largest;
  return { dims: [n, n], data: Float32Array.from(laplacian, (l, k) => scale * l - Number(k % (n + 1) === 0)) };
}
