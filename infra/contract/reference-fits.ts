import type { ReferenceEvidence, ReferenceShape } from '../../ml/reference-fits/types.ts';
import { limits } from './limits.ts';
import type { ReferenceTaskKey } from './reference-data/preparation.ts';

/** A fit for one shape of trials, as it is asked for. */
export interface ReferenceFitRequest extends ReferenceTaskKey {
  /** Hash of all the others and of the people; see `fitKeyOf`. */
  readonly key: string;
  /** Ids of the reference classes that are told apart. */
  readonly classes: readonly string[];
  readonly shape: ReferenceShape;
}

/** A finished fit: where it is, what it needs, how good it is. */
export interface ReferenceFitResult {
  /** Object name (`ReferenceFit`). */
  readonly ref: string;
  readonly pins: readonly string[];
  readonly evidence: ReferenceEvidence;
}

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
