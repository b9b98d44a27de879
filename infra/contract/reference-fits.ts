import type { ReferenceEvidence, ReferenceShape } from '../../ml/reference-fits/types.ts';
import { limits } from './limits.ts';
import type { ReferenceTaskKey } from './reference-data/preparation.ts';

/** Request for a fit for one shape of trials. */
export interface ReferenceFitRequest extends ReferenceTaskKey {
  /** Hash of all other fields and of the people; see `fitKeyOf`. */
  readonly key: string;
  /** Ids of the reference classes that the fit distinguishes. */
  readonly classes: readonly string[];
  readonly shape: ReferenceShape;
}

/** A finished fit: its location, requirements and accuracy. */
export interface ReferenceFitResult {
  /** Object name (`ReferenceFit`). */
  readonly ref: string;
  readonly pins: readonly string[];
  readonly evidence: ReferenceEvidence;
}

/** Tolerance of a thousandth of a sample: lengths are quotients of samples and rates. */
const slack = 1e-3;

/**
 * The shape with the trial length as the whole number of samples after resampling to the working rate, so that lengths
 * that give the same fit have one shape.
 */
export const inWholeSamples = (shape: ReferenceShape): ReferenceShape => ({
  ...shape,
  seconds: Math.ceil(shape.seconds * limits.workingRateHz - slack) / limits.workingRateHz,
});
