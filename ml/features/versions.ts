import { families } from './families.ts';
import type { RecipeFamily } from './recipe.ts';

/** Version of the recipe of each family. */
export type FeatureVersions = Readonly<Record<string, number>>;

/** The family of a feature-set id: what stands before its first slash. */
export const familyOf = (id: string): string => id.split('/', 1)[0];

/** Highest version of a family; throws a RangeError that names the families where there is none. */
function currentVersion(family: string): number {
  const versions = Object.hasOwn(families, family) ? families[family] : null;
  if (!versions)
    throw new RangeError(`There is no feature set '${family}'; families: ${Object.keys(families).join(', ')}.`);
  return Math.max(...Object.keys(versions).map(Number));
}

/** The current version of every family among the ids. */
export const currentVersions = (ids: readonly string[]): FeatureVersions =>
  Object.fromEntries(ids.map(familyOf).map((family) => [family, currentVersion(family)]));

/** `versions` of the families among the ids; throws a RangeError where one has none. */
export function versionsOf(ids: readonly string[], versions: FeatureVersions): FeatureVersions {
  return Object.fromEntries(
    ids.map(familyOf).map((family) => {
      if (!Object.hasOwn(versions, family)) throw new RangeError(`No version is given of the features ${family}.`);
      return [family, versions[family]];
    }),
  );
}

/** The recipe family at a version, the current one where none is given; throws where this code does not hold it. */
export function familyAt(family: string, version: number = currentVersion(family)): RecipeFamily {
  if (!holdsFeatures(family, version))
    throw new RangeError(`This code does not hold version ${version} of the features ${family}.`);
  return families[family][version];
}

/** Whether this code holds a version of a family. */
export const holdsFeatures = (family: string, version: number): boolean =>
  Object.hasOwn(families, family) && Object.hasOwn(families[family], version);
