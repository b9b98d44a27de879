import type { Prior } from '../../evidence/types.ts';
import type { TaskKind } from '../../types.ts';
import { measured } from './measured.ts';
import type { MeasuredCell } from './measured.ts';
import { published } from './published.ts';

/** The part of a data set that decides which measurements are nearest. */
export interface PriorShape {
  readonly kind: TaskKind;
  readonly trials: number;
  readonly channels: number;
  /** True if the classes are flicker frequencies. */
  readonly flicker: boolean;
}

/** Figure of a method without a published one: far behind. */
const unpublished = 0.1;
/** Spread over people, and standard error, of a published figure, which averages other recordings, nats. */
const publishedSpread = { people: 0.05, error: 0.05 };
/** Standard deviation between sets of recordings: the people of one set share a device and cues, nats. */
const betweenSets = 0.03;
/** Additional standard error for each doubling of trials or channels between a data set and the measurement, nats. */
const errorOfDoubling = 0.03;

const doublings = (cell: MeasuredCell, { trials, channels }: PriorShape): number =>
  Math.abs(Math.log2(cell.trials / trials)) + Math.abs(Math.log2(cell.channels / channels));

/** The measurement of this kind of task with the most similar numbers of trials and channels. */
const nearestCell = (shape: PriorShape, cells: readonly MeasuredCell[]): MeasuredCell | null =>
  cells
    .filter(({ kind, flicker }) => kind === shape.kind && flicker === shape.flicker)
    .reduce<MeasuredCell | null>(
      (best, cell) => (best === null || doublings(cell, shape) < doublings(best, shape) ? cell : best),
      null,
    );

/** Published figure of a method for a kind of task, nats. */
const figureOf = (method: string, kind: TaskKind): number => published[method]?.[kind] ?? unpublished;

/** What the measured figures of a cell are above the published ones: mean, and standard deviation over methods. */
function offsetOf({ kind, methods }: MeasuredCell): { mean: number; sd: number } {
  const both = Object.entries(methods).filter(([id]) => published[id]?.[kind] !== undefined);
  const differences = both.map(([id, { behind }]) => behind - figureOf(id, kind));
  const count = Math.max(1, both.length);
  const mean = differences.reduce((sum, each) => sum + each, 0) / count;
  return { mean, sd: Math.sqrt(differences.reduce((sum, each) => sum + (each - mean) ** 2, 0) / count) };
}

/**
 * Log-loss that a method is expected to be behind, before any own trial is seen, and the standard deviation for one
 * person. Only differences between methods of one data set have a meaning. It comes from the nearest measurement. A
 * method that was not measured has its published figure.
 */
export function priorOf(method: string, shape: PriorShape, cells: readonly MeasuredCell[] = measured): Prior {
  const cell = nearestCell(shape, cells);
  const own = cell?.methods[method];
  if (cell && own)
    return {
      mean: own.behind,
      sd: Math.hypot(cell.spread, betweenSets, errorOfDoubling * doublings(cell, shape)),
      people: cell.people,
    };
  const offset = cell ? offsetOf(cell) : { mean: 0, sd: 0 };
  return {
    mean: figureOf(method, shape.kind) + offset.mean,
    sd: Math.hypot(publishedSpread.people, Math.max(publishedSpread.error, offset.sd)),
    people: 0,
  };
}
