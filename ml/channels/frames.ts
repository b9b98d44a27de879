import { fiducials, positionOf, type Position } from './template.ts';

const subtract = (a: Position, b: Position): Position => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Position, b: Position): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const scale = (a: Position, by: number): Position => [a[0] * by, a[1] * by, a[2] * by];
const unit = (a: Position): Position => scale(a, 1 / Math.sqrt(dot(a, a)));
const cross = (a: Position, b: Position): Position => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** Axes of the head frame: x through the preauricular points to the right, y to the nasion, z up. */
const head = (() => {
  const x = unit(subtract(fiducials.rpa, fiducials.lpa));
  const along = dot(subtract(fiducials.nasion, fiducials.lpa), x);
  const step = scale(x, along);
  const origin: Position = [fiducials.lpa[0] + step[0], fiducials.lpa[1] + step[1], fiducials.lpa[2] + step[2]];
  const y = unit(subtract(fiducials.nasion, origin));
  return { origin, x, y, z: cross(x, y) };
})();

/** Distance in metres. */
export function distance(a: Position, b: Position): number {
  const d = subtract(a, b);
  return Math.sqrt(dot(d, d));
}

/**
 * A point of the template's frame (`mni`) in the head frame, metres. The template's own fiducials define the rigid
 * motion.
 */
export function mniToHead(point: Position): Position {
  const d = subtract(point, head.origin);
  return [dot(d, head.x), dot(d, head.y), dot(d, head.z)];
}

/** Position of a template electrode in the head frame, metres. */
export function headPositionOf(name: string): Position | undefined {
  const position = positionOf(name);
  return position && mniToHead(position);
}

/** Converts a caller's coordinates to the head frame, by `position_frame`. */
export const toHead: Readonly<Record<'head' | 'mni', (point: Position) => Position>> = {
  head: (point) => point,
  mni: mniToHead,
};
