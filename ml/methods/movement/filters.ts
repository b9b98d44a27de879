import { mirroredSite, movementCard } from '../../encoders/movement/index.ts';
import type { Network } from '../../encoders/movement/index.ts';
import { invsqrtm, packedSize } from '../../geometry/index.ts';
import { matmul } from '../../linalg/index.ts';
import { matrixAt, matrixOf, squaresOf } from '../../matrix.ts';
import type { Matrix } from '../../matrix.ts';

/** Filters of all networks and both sides of the head at some electrodes, before the recentring. */
interface SiteFilters {
  /** Rows u of each band, of each network first the filters, then the mirrored ones. [networks · 2 · filters × p] */
  readonly bands: readonly Matrix[];
  /** For each band the logarithm of each filter's power for white signals of variance 1, to subtract. */
  readonly levels: readonly Float64Array[];
}

const { sites: names, eps } = movementCard;
/** Index of the mirrored site of each site; −1: the card has none. */
const mirrorOf = names.map((name) => names.indexOf(mirroredSite(name)));

/** Filters of all networks at the site of each electrode; those with the sides of the head exchanged follow their own. */
export function filtersAt(networks: readonly Network[], sites: readonly number[]): SiteFilters {
  const [p, count] = [sites.length, movementCard.filters];
  const sides = [sites, sites.map((site) => mirrorOf[site])];
  const bands = movementCard.bands.map((_, band) => {
    const rows = new Float64Array(networks.length * 2 * count * p);
    networks.forEach(({ filters }, n) =>
      sides.forEach((read, side) =>
        rows.set(someSites(filters, band * count, count, read), (2 * n + side) * count * p),
      ),
    );
    return matrixOf(rows, p, networks.length * 2 * count);
  });
  const levels = bands.map(({ data, rows }) =>
    Float64Array.from({ length: rows }, (_, f) => Math.log(squaredLength(data, f * p, p) + eps)),
  );
  return { bands, levels };
}

/**
 * Tables of filters u behind the recentring R, for each band: the inner product of a filter with a packed covariance C
 * is the power uᵀ·R·C·R·u. Eight filters side by side, in the order of `ml/linalg/quadratic-readings.ts`. R: inverse
 * square roots of `centres` [bands × p × p].
 */
export function filterTables({ bands }: SiteFilters, centres: Float64Array): readonly Float32Array[] {
  const whiteners = invsqrtm(squaresOf(centres, bands[0].columns));
  return bands.map((filters, band) => {
    const { data, rows, columns: p } = matmul(filters, matrixAt(whiteners, band));
    const table = new Float32Array(rows * packedSize(p));
    writeSquares(data, p, table);
    return table;
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

/** Packed squares v·vᵀ of rows v, entries off the diagonal twice; row r is filter r of the table. */
function writeSquares(rows: Float64Array, p: number, out: Float32Array): void {
  const size = packedSize(p);
  for (let from = 0, filter = 0; from < rows.length; from += p, filter += 1) {
    let to = (filter >> 2) * size * 4 + (filter & 3);
    for (let i = 0; i < p; i += 1) {
      const own = rows[from + i];
      out[to] = own * own;
      to += 4;
      for (let j = i + 1; j < p; j += 1, to += 4) out[to] = 2 * own * rows[from + j];
    }
  }
}
