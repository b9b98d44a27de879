import type { HeadPoint } from './project.ts';

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
