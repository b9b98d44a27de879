import { weightsOf } from '../encoders/ids.ts';
import type { WeightsId } from '../encoders/types.ts';
import { answerOf } from '../train/answers.ts';
import type { FittedModel } from '../train/types.ts';
import type { Features } from '../types.ts';

const listOf = (pins: readonly string[]): readonly string[] => [...new Set(pins)].sort();

const featurePins = (versions: Readonly<Record<string, number>>, resampler: number | undefined): string[] => [
  ...Object.entries(versions).map(([family, version]) => `features:${family}@${version}`),
  ...(resampler === undefined ? [] : [`resampler@${resampler}`]),
];

/** The pin of weights of a pretrained encoder. */
export const pinOfWeights = ({ id, hash }: WeightsId): string => `weights:${id}@${hash}`;

const weightsPins = (sets: readonly string[]): string[] => weightsOf(sets).map(pinOfWeights);

const methodPin = ({ id, version }: { readonly id: string; readonly version: string }): string =>
  `method:${id}@${version}`;

/** The fields of a stored batch that determine its pins. */
interface StoredFeatures {
  readonly format: number;
  readonly features: Pick<Features, 'versions' | 'shape'> & { readonly sets: Readonly<Record<string, unknown>> };
}

/**
 * Pins of stored features: their format, one for each family of recipes and for the weights of each encoder, and one
 * for the resampler if the trials were resampled.
 */
export const pinsOfFeatures = ({ format, features: { versions, shape, sets } }: StoredFeatures): readonly string[] =>
  listOf([`format@${format}`, ...featurePins(versions, shape.resampler), ...weightsPins(Object.keys(sets))]);

/**
 * Pins of a fitted model: its format, its method (or the pool and the methods in it), the members of an average,
 * its features and their weights, its resampler and its version of `answer`.
 */
export const pinsOf = ({
  format,
  answer,
  method,
  members = [],
  mix,
  featureSets,
  featureVersions,
  shape,
}: Pick<
  FittedModel,
  'format' | 'answer' | 'method' | 'members' | 'mix' | 'featureSets' | 'featureVersions' | 'shape'
>): readonly string[] =>
  listOf([
    `format@${format}`,
    `answer@${answerOf({ answer })}`,
    ...(mix ? [`pool@${method.version}`] : [methodPin(method)]),
    ...members.map(methodPin),
    ...featurePins(featureVersions, shape.resampler),
    ...weightsPins(featureSets),
  ]);
