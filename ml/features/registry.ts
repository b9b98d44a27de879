import type { FeatureSet } from '../types.ts';
import { ccaFamily, filterBankCcaFamily } from './cca-set.ts';
import { augmentedFamily, covarianceFamily, ssvepFamily } from './covariance-sets.ts';
import { erpFamily } from './erp-sets.ts';
import { extractInto } from './extract-into.ts';
import { filterBankFamily } from './filter-bank-set.ts';
import { logPowerFamily, logSpectrumFamily } from './power-sets.ts';
import type { Recipe, RecipeFamily } from './recipe.ts';
import { sitesFamily } from './sites-set.ts';
import { sleepFamily } from './sleep-set.ts';
import { laplacianFamily } from './laplacian-set.ts';

/** Families of feature sets by the first part of an id; the rest of the id is their argument. */
const families: Readonly<Record<string, RecipeFamily>> = {
  cov: covarianceFamily,
  fbcov: filterBankFamily,
  acm: augmentedFamily,
  ssvep: ssvepFamily,
  cca: ccaFamily,
  fbcca: filterBankCcaFamily,
  logpower: logPowerFamily,
  logspectrum: logSpectrumFamily,
  erp: erpFamily,
  sleep: sleepFamily,
  sites19: sitesFamily,
  laplacian: laplacianFamily,
};

const recipes = new Map<string, Recipe>();

/** The recipe behind an id; throws a RangeError that names the families where there is none. */
export function recipeOf(id: string): Recipe {
  const recipe = recipes.get(id) ?? makeRecipe(id);
  if (recipes.size < 256) recipes.set(id, recipe);
  return recipe;
}

function makeRecipe(id: string): Recipe {
  const slash = id.indexOf('/');
  const family = families[slash < 0 ? id : id.slice(0, slash)];
  if (!family) throw new RangeError(`There is no feature set '${id}'; families: ${Object.keys(families).join(', ')}.`);
  return family(slash < 0 ? '' : id.slice(slash + 1));
}

/** The feature set of an id, also of parametrised ones such as 'cov/4-40' or 'ssvep/13,17,21'. */
export function featureSet(id: string): FeatureSet {
  const recipe = recipeOf(id);
  return {
    id,
    version: recipe.version,
    storable: recipe.storable,
    dimension: (shape) => recipe.dimension(shape),
    extract: (trials) => extractInto(trials, [recipe])[0],
  };
}

/** Sets without parameters of the caller, by id. */
export const featureSets: Readonly<Record<string, FeatureSet>> = Object.fromEntries(
  [
    'cov/8-32',
    'cov/1-40',
    'cov/4-40',
    'fbcov',
    'acm/8-32',
    'logpower',
    'logspectrum',
    'erp/windows',
    'erp/epoch',
    'sleep',
    'sites19/logpower',
    'laplacian/logpower',
  ].map((id) => [id, featureSet(id)]),
);
