import type { FeatureSet } from '../types.ts';
import { extractInto } from './extract-into.ts';
import type { Recipe } from './recipe.ts';
import { currentVersions, familyAt, familyOf } from './versions.ts';

const recipes = new Map<string, Recipe>();

/** The recipe of an id at a version (default: the current one). Throws RangeError if there is none. */
export function recipeOf(id: string, version?: number): Recipe {
  const family = familyOf(id);
  const at = version ?? currentVersions([id])[family];
  const key = `${id}@${at}`;
  const recipe = recipes.get(key) ?? familyAt(family, at)(id.slice(family.length + 1));
  if (recipes.size < 256) recipes.set(key, recipe);
  return recipe;
}

/**
 * The feature set of an id, also of parametrised ones such as 'cov/4-40' or 'ssvep/13,17,21', at a version (default:
 * the current one).
 */
export function featureSet(id: string, version: number = currentVersions([id])[familyOf(id)]): FeatureSet {
  const recipe = recipeOf(id, version);
  return {
    id,
    version,
    storable: recipe.storable,
    dimension: (shape) => recipe.dimension(shape),
    extract: (trials) => extractInto(trials, [recipe])[0],
  };
}
