import { mirroredSite, movementCard } from '../../encoders/movement/index.ts';
import type { Network } from '../../encoders/movement/index.ts';
import { invsqrtm } from '../../geometry/index.ts';
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

/**
 * Filters of all networks at the site of each electrode; those with the sides of the head exchanged follow their own.
 */
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
 * Filters of each band, multiplied by the recentring matrix R, the inverse square root of its centre [bands × p × p].
 * Four filters side by side, in the order of `ml/linalg/quadratic-readings.ts`.
 */
export function recentredFilters({ bands }: SiteFilters, centres: Float64Array): readonly Float64Array[] {
  const whiteners = invsqrtm(squaresOf(centres, bands[0].columns));
  return bands.map((filters, band) => inFours(matmul(filters, matrixAt(whiteners, band))));
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

/** Rows [4n × p] as [n × p × 4]. */
function inFours({ data, rows, columns: p }: Matrix): Float64Array {
  const out = new Float64Array(rows * p);
  for (let row = 0, from = 0; row < rows; row += 1) {
    let to = (row >> 2) * p * 4 + (row & 3);
    for (let i = 0; i < p; i += 1, from += 1, to += 4) out[to] = data[from];
  }
  return out;
}
