import { heldWeights, holdsWeights } from '../encoders/held.ts';
import { holdsFeatures } from '../features/index.ts';
import { holdsMethod } from '../methods/index.ts';
import { resamplers } from '../signal/index.ts';
import { answers } from '../train/answers.ts';
import { readableFormats } from '../train/formats.ts';
import { holdsPool } from '../train/pool.ts';
import { pinOfWeights } from './pins-of.ts';
import { readPin } from './read-pin.ts';

/** By the kind of a pin: whether this code, or of weights this machine, holds what it names. */
const holders: Readonly<Record<string, (name: string, version: string) => boolean>> = {
  answer: (_, version) => Object.hasOwn(answers, version),
  format: (_, version) => readableFormats.map(String).includes(version),
  method: holdsMethod,
  pool: (_, version) => holdsPool(version),
  features: (family, version) => holdsFeatures(family, Number(version)),
  weights: (id, hash) => holdsWeights({ id, hash }),
  resampler: (_, version) => Object.hasOwn(resamplers, version),
};

/** Those of the pins that this code or this machine does not hold; a model with one of them cannot be served. */
export const unheld = (pins: readonly string[]): readonly string[] =>
  pins.filter((pin) => {
    const read = readPin(pin);
    return !read || !Object.hasOwn(holders, read.kind) || !holders[read.kind](read.name, read.version);
  });

/** Pins of the weights that this machine holds. */
export const heldWeightsPins = (): readonly string[] => heldWeights().map(pinOfWeights).sort();
