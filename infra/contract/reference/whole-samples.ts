import type { ReferenceShape } from '../../../ml/reference-fits/types.ts';
import { limits } from '../limits.ts';

/** A thousandth of a sample is none: lengths are quotients of samples and rates. */
const slack = 1e-3;

/**
 * The shape as fits on reference recordings know it: trials last the whole samples that resampling to the working rate
 * makes of them, so that lengths that no fit tells apart are one.
 */
export const inWholeSamples = (shape: ReferenceShape): ReferenceShape => ({
  ...shape,
  seconds: Math.ceil(shape.seconds * limits.workingRateHz - slack) / limits.workingRateHz,
});
