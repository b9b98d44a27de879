import { encoderVersions } from '../encoders/index.ts';
import { families } from './families.ts';
import type { RecipeFamily } from './recipe.ts';

/** Version of the recipe of each family. */
export type FeatureVersions = Readonly<Record<string, number>>;

/** The family of a feature-set id: the part before its first slash. */
export const familyOf = (id: string): string => id.split('/', 1)[0];

/** Versions of a family in this code. Encoders are families too. */
const knownVersions = (family: string): readonly number[] =>
  Object.hasOwn(families, family) ? Object.keys(families[family]).map(Number) : encoderVersions(family);

/** Highest version of a family. Throws RangeError with the known families if there is none. */
function currentVersion(family: string): number {
  const versions = knownVersions(family);
  if (versions.length === 0)
    throw new RangeError(`There is no feature set '${family}'; families: ${Object.keys(families).join(', ')}.`);
  return Math.max(...versions);
}

/** The current version of every family among the ids. */
export const currentVersions = (ids: readonly string[]): FeatureVersions =>
  Object.fromEntries(ids.map(familyOf).map((family) => [family, currentVersion(family)]));

/** `versions` of the families among the ids. Throws RangeError if one has none. */
export function versionsOf(ids: readonly string[], versions: FeatureVersions): FeatureVersions {
  return Object.fromEntries(
    ids.map(familyOf).map((family) => {
      if (!Object.hasOwn(versions, family)) throw new RangeError(`No version is given of the features ${family}.`);
      return [family, versions[family]];
    }),
  );
}

/** The recipe family at a version (default: the current one). Throws if this code does not have it. */
export function familyAt(family: string, version: number = currentVersion(family)): RecipeFamily {
  if (!hasFeatureVersion(family, version))
    throw new RangeError(`This code does not hold version ${version} of the features ${family}.`);
  if (!Object.hasOwn(families, family))
    throw new RangeError(`The features ${family} are made by an encoder, in a session: see \`readFeatures\`.`);
  return families[family][version];
}

/** True if this code has a version of a family. */
export const hasFeatureVersion = (family: string, version: number): boolean => knownVersions(family).includes(version);
