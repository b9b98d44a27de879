import { baselineFamily } from './baseline-set.ts';
import { ccaFamily, filterBankCcaFamily } from './cca-set.ts';
import { cosineFamily } from './cosine-set.ts';
import { augmentedFamily, covarianceFamily, ssvepFamily } from './covariance-sets.ts';
import { erpFamily } from './erp-sets.ts';
import { eyesFamily } from './eyes-set.ts';
import { filterBankFamily } from './filter-bank-set.ts';
import { laplacianFamily } from './laplacian-set.ts';
import { loudnessFamily } from './loudness-set.ts';
import { mainsFamily } from './mains-set.ts';
import { movementFamily } from './movement-set.ts';
import { musclesFamily } from './muscles-set.ts';
import { logPowerFamily, logSpectrumFamily } from './power-sets.ts';
import type { RecipeFamily } from './recipe.ts';
import { sitesFamily } from './sites-set.ts';
import { sleepFamily } from './sleep-set.ts';
import { slowFamily } from './slow-set.ts';

/**
 * Families of feature sets by the first part of an id (the rest of the id is their argument), each by version. New
 * trials are read by the highest version; the others stay as long as a hosted model or a stored batch is pinned to
 * them.
 */
export const families: Readonly<Record<string, Readonly<Record<number, RecipeFamily>>>> = {
  cov: { 1: covarianceFamily },
  fbcov: { 2: filterBankFamily },
  acm: { 1: augmentedFamily },
  ssvep: { 1: ssvepFamily },
  cca: { 1: ccaFamily },
  fbcca: { 1: filterBankCcaFamily },
  logpower: { 1: logPowerFamily },
  logspectrum: { 1: logSpectrumFamily },
  erp: { 1: erpFamily },
  cosines: { 1: cosineFamily },
  sleep: { 1: sleepFamily },
  slow: { 1: slowFamily },
  sites19: { 1: sitesFamily },
  laplacian: { 1: laplacianFamily },
  eyes: { 1: eyesFamily },
  mains: { 1: mainsFamily },
  muscles: { 1: musclesFamily },
  movement: { 1: movementFamily },
  baseline: { 1: baselineFamily },
  loudness: { 1: loudnessFamily },
};
