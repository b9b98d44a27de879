import { mirroredSite, movementCard } from '../../encoders/movement/index.ts';
import type { Network } from '../../encoders/movement/index.ts';
import { invsqrtm, packedSize } from '../../geometry/index.ts';
import { matmul } from '../../linalg/index.ts';
import { matrixAt, matrixOf, squaresOf } from '../../matrix.ts';

/** Filters of one band, of all networks and both sides of the head. */
export interface BandFilters {
  /**
   * The inner product of a filter with a packed covariance C is the power uᵀ·R·C·R·u. Eight filters side by side, in
   * the order of `ml/linalg/quadratic-readings.ts`.
   */
  readonly table: Float32Array;
  /** Logarithm of the power of each filter for white signals of variance 1, to subtract. [networks · 2 · filters] */
  readonly level: Float64Array;
}

const { sites: names, eps } = movementCard;
/** Index of the mirrored site of each site; −1: the card has none. */
const mirrorOf = names.map((name) => names.indexOf(mirroredSite(name)));

/**
 * Spatial filters u of all networks behind the recentring R, for each band; of each network first the filters, then
 * those with the sides of the head exchanged. R: inverse square roots of `centres` [bands × p × p]. `sites`: the site
 * of each electrode.
 */
export function filterTables(
  networks: readonly Network[],
  centres: Float64Array,
  sites: readonly number[],
): readonly BandFilters[] {
  const p = sites.length;
  const count = movementCard.filters;
  const whiteners = invsqrtm(squaresOf(centres, p));
  const sides = [sites, sites.map((site) => mirrorOf[site])];
  return movementCard.bands.map((_, band) => {
    const table = new Float32Array(networks.length * 2 * count * packedSize(p));
    const level = new Float64Array(networks.length * 2 * count);
    networks.forEach(({ filters }, n) =>
      sides.forEach((read, side) => {
        const first = (2 * n + side) * count;
        const own = matrixOf(someSites(filters, band * count, count, read), p, count);
        for (let f = 0; f < count; f += 1) level[first + f] = Math.log(squaredLength(own.data, f * p, p) + eps);
        writeSquares(matmul(own, matrixAt(whiteners, band)).data, p, table, first);
      }),
    );
    return { table, level };
  });
}

/** Weights [count × sites] of some sites of the filters from `first` on; a missing site has weight 0. */
function someSites(filters: Float64Array, first: number, count: number, sites: readonly number[]): Float64Array {
  const all = names.length;
  const out = new Float64Array(count * sites.length);
  for (let f = 0; f < count; f += 1)
    sites.forEach((site, i) => (out[f * sites.length + i] = site < 0 ? 0 : filters[(first + f) * all + site]));
  return out;
}

function squaredLength(values: Float64Array, from: number, length: number): number {
  let sum = 0;
  for (let i = from; i < from + length; i += 1) sum += values[i] * values[i];
  return sum;
}

/** Packed squares v·vᵀ of rows v, entries off the diagonal twice; row r is filter `first` + r of the table. */
function writeSquares(rows: Float64Array, p: number, out: Float32Array, first: number): void {
  const size = packedSize(p);
  for (let from = 0, filter = first; from < rows.length; from += p, filter += 1) {
    let to = (filter >> 2) * size * 4 + (filter & 3);
    for (let i = 0; i < p; i += 1) {
      const own = rows[from + i];
      out[to] = own * own;
      to += 4;
      for (let j = i + 1; j < p; j += 1, to += 4) out[to] = 2 * own * rows[from + j];
    }
  }
}
