/**
 * What a fit may take of memory, known before it begins. Measured by `npm run bench -- fit-size`, and compared with a
 * measurement by `test/unit/fit-size.test.ts`.
 */
const mebibyte = 1024 * 1024;

export const fitSize = {
  /** Bytes of the feature tables of a fit. */
  featureBytes: 512 * mebibyte,
  /** Trials that candidates are scored on. */
  trials: 16_384,
} as const;

/** Bytes of the features of one trial, by what each set has of it. */
export const bytesPerTrial = (sets: Readonly<Record<string, number>>): number =>
  Float64Array.BYTES_PER_ELEMENT * Object.values(sets).reduce((sum, values) => sum + values, 0);

/** Of so many trials with these features, how many a fit reads. */
export const trialsFitted = (trials: number, sets: Readonly<Record<string, number>>): number =>
  Math.min(trials, fitSize.trials, Math.floor(fitSize.featureBytes / Math.max(1, bytesPerTrial(sets))));
