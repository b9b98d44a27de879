import type { SignalShape } from '../types.ts';
import type { TrialSource } from './trial-source.ts';

/**
 * How one feature set is computed. Sets request filtered signals from the source of a trial, so that sets reuse them.
 */
export interface Recipe {
  readonly storable: boolean;
  dimension(shape: SignalShape): number;
  /** Writes the values of one trial at out[at …]. */
  write(source: TrialSource, out: Float64Array, at: number): void;
}

/** A family of recipes. `args`: the part of an id after the first slash; '' if there is none. */
export type RecipeFamily = (args: string) => Recipe;
