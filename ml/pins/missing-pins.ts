import { installedWeights, hasWeights } from '../encoders/installed-weights.ts';
import { hasFeatureVersion } from '../features/index.ts';
import { hasMethodVersion } from '../methods/index.ts';
import { resamplers } from '../signal/index.ts';
import { answers } from '../train/answers.ts';
import { readableFormats } from '../train/formats.ts';
import { hasPoolVersion } from '../train/opinion-pool.ts';
import { pinOfWeights } from './pins-of.ts';
import { readPin } from './read-pin.ts';

/**
 * Whether this code has the version that a pin names, by the kind of the pin; for weights, whether this machine has
 * them.
 */
const holders: Readonly<Record<string, (name: string, version: string) => boolean>> = {
  answer: (_, version) => Object.hasOwn(answers, version),
  format: (_, version) => readableFormats.map(String).includes(version),
  method: hasMethodVersion,
  pool: (_, version) => hasPoolVersion(version),
  features: (family, version) => hasFeatureVersion(family, Number(version)),
  weights: (id, hash) => hasWeights({ id, hash }),
  resampler: (_, version) => Object.hasOwn(resamplers, version),
};

/** The pins that this code or this machine lacks. A model with one of them cannot be served. */
export const missingPins = (pins: readonly string[]): readonly string[] =>
  pins.filter((pin) => {
    const read = readPin(pin);
    return !read || !Object.hasOwn(holders, read.kind) || !holders[read.kind](read.name, read.version);
  });

/** Pins of the weights that are installed on this machine. */
export const installedWeightsPins = (): readonly string[] => installedWeights().map(pinOfWeights).sort();
