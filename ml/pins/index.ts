/**
 * Pins: which versions of the code, and which weights, a hosted model or a stored batch needs to reproduce its
 * numbers. A pin is a text, `kind:name@version` or `kind@version`: `method:csp-lda@1`, `features:cov@1`, `pool@1`,
 * `resampler@1`, `answer@1`, `format@2`, `weights:robust-sleep-net@` with the SHA-256 of the published file.
 * Lists of pins are sorted and have no duplicates.
 */
export { pinOfWeights, pinsOf, pinsOfFeatures } from './pins-of.ts';
export { currentReferencePins } from './reference-pins.ts';
export { describePin, isOfWeights, readsEncoders, resamplerOf } from './read-pin.ts';
export { installedWeightsPins, missingPins } from './missing-pins.ts';
