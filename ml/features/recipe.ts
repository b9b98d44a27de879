import type { SignalShape } from '../types.ts';
import type { TrialSource } from './trial-source.ts';

/** How one feature set is computed: sets ask the source of a trial for filtered signals, so that sets share them. */
export interface Recipe {
  readonly storable: boolean;
  dimension(shape: SignalShape): number;
  /** Writes the values of one trial at out[at …]. */
  write(source: TrialSource, out: Float64Array, at: number): void;
}

/** A family of recipes: `arguments` is the part of an id behind the first slash, '' where there is none. */
export type RecipeFamily = (args: string) => Recipe;
