import { mlLimits } from '../limits.ts';
import type { TaskKind } from '../types.ts';
import type { ReferenceShape } from './types.ts';

/** How the recordings of a task are processed before they are stored. */
export interface ReferenceReading {
  readonly kind: 'moments' | 'means';
  /** Feature set that is computed from sums of slices. */
  readonly set: string;
  /** Pass band, Hz; null where it is open below. */
  readonly lowHz: number | null;
  readonly highHz: number;
  /** Length of a slice. */
  readonly seconds: number;
  /** Methods that start from these recordings cannot read shorter trials. */
  readonly shortestSeconds: number;
  /** True if a stretch longer than a trial is cut into consecutive trials; else its beginning is one trial. */
  readonly cutUp: boolean;
  /** Method whose models answer without own trials. */
  readonly method: 'reference-prior' | 'reference-prior-wide' | 'reference-prior-means';
}

/** Rate to which recordings are resampled: the rate of intake. */
export const referenceRateHz = mlLimits.workingRateHz;

const wide: ReferenceReading = {
  kind: 'moments',
  set: 'cov/4-40',
  lowHz: 4,
  highHz: 40,
  seconds: 0.5,
  shortestSeconds: 0.5,
  cutUp: true,
  method: 'reference-prior-wide',
};

/** Processing of each kind of task: the bands of the feature sets of its methods. */
export const readings: Readonly<Record<TaskKind, ReferenceReading>> = {
  motor: {
    kind: 'moments',
    set: 'cov/8-32',
    lowHz: 8,
    highHz: 32,
    seconds: 0.5,
    shortestSeconds: 0.5,
    cutUp: false,
    method: 'reference-prior',
  },
  erp: {
    kind: 'means',
    set: 'erp/windows',
    lowHz: null,
    highHz: 24,
    seconds: 0.05,
    shortestSeconds: 0.2,
    cutUp: false,
    method: 'reference-prior-means',
  },
  sleep: wide,
  other: wide,
};

/** Why trials of a shape cannot be read from a task's recordings. */
export interface Unreadable {
  /** The field of the shape that is the problem. */
  readonly by: keyof ReferenceShape;
  /** In words with the numbers, from "needs" on. */
  readonly reason: string;
}

/** Share of a sampling rate up to which a signal is read. */
const usable = 0.45;

/** Lowest sampling rate of a caller's trials that contain the whole band, Hz. */
export const lowestRateHz = ({ highHz }: ReferenceReading): number => Math.ceil(highHz / usable);

/**
 * Why trials cannot be read from recordings with trials of `longestSeconds`, from "needs" on; null: they can. A time
 * course ends; second moments of a part represent those of the whole.
 */
export function tooLong(kind: TaskKind, longestSeconds: number, seconds: number): string | null {
  const reading = readings[kind];
  const slices = (length: number): number => Math.round(length / reading.seconds);
  if (reading.kind === 'moments' || slices(seconds) <= slices(longestSeconds)) return null;
  return `needs trials of at most ${Number(longestSeconds.toFixed(3))} s; ${seconds} s declared`;
}
