import { WeightsFault } from '../../weights/index.ts';
import type { Weights } from '../../weights/index.ts';
import type { MovementCard } from './card.ts';

/** Rows of whole numbers [rows × bands × width], and of each row the value of 0 and of a step [rows × 2]. */
export interface ScaledRows {
  readonly steps: Float32Array;
  readonly scale: Float32Array;
}

/**
 * Sketches of the training people, by which their recordings are recognised. A sketch has for each band the log power
 * of the difference of each pair of sites, then of each site as recorded, then of each site less the mean of all
 * electrodes: mean over trials. Its mean is removed before comparison.
 */
export interface MovementPeople {
  readonly names: readonly string[];
  /** Values of a band: pairs of sites in their order (0 1, 0 2, …, 1 2, …), sites, sites. */
  readonly width: number;
  /** Sketch of each person. */
  readonly sketches: ScaledRows;
  /** Directions in which recordings of one person differ, each as long as their standard deviation. */
  readonly within: ScaledRows;
  /** Variance of recordings of one person beside these directions [bands × width]. */
  readonly rest: Float32Array;
}

/** Reads the sketches of a card. Throws a WeightsFault if a tensor is missing or has another shape. */
export function peopleFrom(weights: Weights, { people: { names }, sites, bands }: MovementCard): MovementPeople {
  const width = (sites.length * (sites.length - 1)) / 2 + 2 * sites.length;
  const read = (name: string, rows: number, columns: number): Float32Array => {
    const data = weights.get(name)?.data;
    if (data?.length !== rows * columns)
      throw new WeightsFault(`its tensor "${name}" has ${data?.length ?? 0} numbers instead of ${rows * columns}`);
    return data;
  };
  const scaled = (name: string, rows: number): ScaledRows => ({
    steps: read(name, rows, bands.length * width),
    scale: read(`${name}.scale`, rows, 2),
  });
  return {
    names,
    width,
    sketches: scaled('people', names.length),
    within: scaled('within', weights.get('within')?.dims[0] ?? 0),
    rest: read('rest', bands.length, width),
  };
}
