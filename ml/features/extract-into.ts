import type { Trials } from '../types.ts';
import type { Recipe } from './recipe.ts';
import { forEachTrial, shapeOf } from './trial-source.ts';

/**
 * Values [trials × dimension] of each recipe. Works trial by trial, so that sets reuse filtered signals and memory
 * stays small. `into`: output tables, one per recipe; default: new ones.
 */
export function extractInto(
  trials: Trials,
  recipes: readonly Recipe[],
  into?: readonly Float64Array[],
): readonly Float64Array[] {
  const shape = shapeOf(trials);
  const dimensions = recipes.map((recipe) => recipe.dimension(shape));
  const tables = into ?? dimensions.map((dimension) => new Float64Array(trials.trials * dimension));
  forEachTrial(trials, (source, trial) =>
    recipes.forEach((recipe, r) => {
      if (dimensions[r] > 0) recipe.write(source, tables[r], trial * dimensions[r]);
    }),
  );
  return tables;
}
