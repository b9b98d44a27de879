import type { FittedModel } from '../train/types.ts';

const listOf = (pins: readonly string[]): readonly string[] => [...new Set(pins)].sort();

const featurePins = (versions: Readonly<Record<string, number>>, resampler: number | undefined): string[] => [
  ...Object.entries(versions).map(([family, version]) => `features:${family}@${version}`),
  ...(resampler === undefined ? [] : [`resampler@${resampler}`]),
];

/** Pins of stored features: one for each family of recipes, and one for the resampler where the trials went through one. */
export const pinsOfFeatures = (versions: Readonly<Record<string, number>>, resampler?: number): readonly string[] =>
  listOf(featurePins(versions, resampler));

/** Pins of a fitted model: its method, those that an average averages, its features and its resampler. */
export const pinsOf = ({
  method,
  members = [],
  featureVersions,
  shape,
}: Pick<FittedModel, 'method' | 'members' | 'featureVersions' | 'shape'>): readonly string[] =>
  listOf([
    ...[method, ...members].map(({ id, version }) => `method:${id}@${version}`),
    ...featurePins(featureVersions, shape.resampler),
  ]);
