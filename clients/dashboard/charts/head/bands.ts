import { contours } from 'd3-contour';
import { projected, siteDirection, unprojected, type HeadPoint } from './project.ts';
import { sphericalSpline } from './spline.ts';

/** Nine bands of values between -1 and 1, the middle one around 0. */
export const thresholds = [-0.7, -0.5, -0.3, -0.1, 0.1, 0.3, 0.5, 0.7] as const;

/** Index of the band of a value: 0 the lowest, 4 around 0, 8 the highest. */
export const bandOf = (value: number): number => thresholds.filter((each) => value >= each).length;

/** Half the side of the square that is interpolated; the head has radius 1. */
const reach = 1.1;
const cells = 44;
const across = (index: number): number => -reach + (2 * reach * index) / (cells - 1);

export interface HeadSites {
  readonly names: readonly string[];
  /** Rows of the channels with a position; the others are not drawn. */
  readonly rows: readonly number[];
  readonly points: readonly HeadPoint[];
  readonly hull: readonly HeadPoint[];
  /** Areas at or above each threshold, lowest first, as paths of SVG in units of the head, y downwards. */
  areas(values: readonly number[]): string[];
}

const gridPoints = Array.from({ length: cells * cells }, (_, i) =>
  unprojected([across(i % cells), -across(Math.floor(i / cells))]),
);

/** Positions of a pattern's channels, and the interpolation between them. */
export function headSites(channels: readonly string[]): HeadSites {
  const placed = channels.flatMap((name, row) => {
    const site = siteDirection(name);
    return site ? [{ name, row, site }] : [];
  });
  const points = placed.map(({ site }) => projected(site));
  const spread = sphericalSpline(
    placed.map(({ site }) => site),
    gridPoints,
  );
  const round = (value: number): number => Math.round(value * 1000) / 1000;
  const place = ([x, y]: readonly number[]): string => `${round(across(x - 0.5))},${round(across(y - 0.5))}`;
  const bands = contours()
    .size([cells, cells])
    .thresholds([...thresholds]);
  return {
    names: placed.map(({ name }) => name),
    rows: placed.map(({ row }) => row),
    points,
    hull: convexHull(points),
    areas(values) {
      const field = placed.length > 0 ? spread(placed.map(({ row }) => values[row])) : null;
      if (!field) return [];
      return bands(Array.from(field)).map(({ coordinates }) =>
        coordinates.map((rings) => rings.map((ring) => `M${ring.map(place).join('L')}Z`).join('')).join(''),
      );
    },
  };
}

const turn = (a: HeadPoint, b: HeadPoint, c: HeadPoint): number =>
  (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);

/** Corners of the smallest convex area around points, anticlockwise (Andrew 1979: monotone chain). */
export function convexHull(points: readonly HeadPoint[]): HeadPoint[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  if (sorted.length < 3) return sorted;
  const chain = (along: readonly HeadPoint[]): HeadPoint[] => {
    const kept: HeadPoint[] = [];
    for (const point of along) {
      while (kept.length >= 2 && turn(kept.at(-2)!, kept.at(-1)!, point) <= 0) kept.pop();
      kept.push(point);
    }
    return kept.slice(0, -1);
  };
  return [...chain(sorted), ...chain(sorted.toReversed())];
}
