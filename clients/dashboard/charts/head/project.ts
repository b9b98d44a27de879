import { electrodeNames, fiducials, headPositionOf, mniToHead, type Position } from '../../../../ml/channels/index.ts';
import { solve } from '../../../../ml/linalg/solve.ts';

/** A point of the head from above: x to the right ear, y to the nose. The outline of the head has radius 1. */
export type HeadPoint = readonly [x: number, y: number];

const minus = (a: Position, b: Position): Position => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Position, b: Position): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Position, b: Position): Position => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const unit = (a: Position): Position => {
  const length = Math.sqrt(dot(a, a));
  return [a[0] / length, a[1] / length, a[2] / length];
};

/** Centre of the sphere that fits all electrodes of the template best: |p|² = 2 c·p + k by least squares. */
function sphereCentre(points: readonly Position[]): Position {
  const normal = new Float64Array(16);
  const right = new Float64Array(4);
  for (const point of points) {
    const row = [2 * point[0], 2 * point[1], 2 * point[2], 1];
    const square = dot(point, point);
    for (let i = 0; i < 4; i++) {
      right[i] += row[i] * square;
      for (let j = 0; j < 4; j++) normal[4 * i + j] += row[i] * row[j];
    }
  }
  const [x, y, z] = solve({ data: normal, rows: 4, columns: 4 }, { data: right, rows: 4, columns: 1 })!.data;
  return [x, y, z];
}

/** Axes with Cz at the top and the nasion in front. */
const view = (() => {
  const centre = sphereCentre(electrodeNames.map((name) => headPositionOf(name)!));
  const up = unit(minus(headPositionOf('Cz')!, centre));
  const nasion = minus(mniToHead(fiducials.nasion), centre);
  const right = unit(cross(nasion, up));
  return { centre, up, right, front: cross(up, right), nasion };
})();

/** Direction from the middle of the head, length 1: x right, y front, z up. */
function direction(from: Position): Position {
  return unit([dot(from, view.right), dot(from, view.front), dot(from, view.up)]);
}

/** Angle between Cz and the nasion, radians: the outline of the head. */
const outline = Math.acos(direction(view.nasion)[2]);

/** Direction of an electrode of the template; undefined for any other name. */
export function siteDirection(name: string): Position | undefined {
  const position = headPositionOf(name);
  return position && direction(minus(position, view.centre));
}

/** Azimuthal equidistant projection about Cz: distances from Cz are angles. */
export function projected([x, y, z]: Position): HeadPoint {
  const angle = Math.acos(Math.max(-1, Math.min(1, z)));
  const across = Math.hypot(x, y);
  const radius = angle / outline;
  return across === 0 ? [0, 0] : [(radius * x) / across, (radius * y) / across];
}

/** Direction of a point of the drawing. */
export function unprojected([x, y]: HeadPoint): Position {
  const radius = Math.hypot(x, y);
  if (radius === 0) return [0, 0, 1];
  const angle = Math.min(Math.PI, radius * outline);
  const across = Math.sin(angle) / radius;
  return [x * across, y * across, Math.cos(angle)];
}
