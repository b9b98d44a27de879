const mebibyte = 1024 * 1024;

/**
 * What a fit may take of memory, known before it begins: `npm run bench -- fit-size` compares it with what fits of other
 * sizes took.
 */
export const fitSize = {
  /** Feature tables of a fit, bytes: of trials with more, a sample is read. */
  featureBytes: 512 * mebibyte,
  /** Trials that a fit reads. */
  trials: 16_384,
  /** What a fit takes besides, bytes: */
  base: 96 * mebibyte,
  /** what all candidates derive from a byte of its features, */
  perFeatureByte: 2,
  /** and what one candidate keeps of a trial: its scores, its folds. */
  perTrialAndCandidate: 600,
} as const;

type Values = Readonly<Record<string, number>>;

/** Bytes of the features of one trial; `sets`: values of each set. */
const bytesPerTrial = (sets: Values): number =>
  Float64Array.BYTES_PER_ELEMENT * Object.values(sets).reduce((sum, values) => sum + values, 0);

/** Of so many trials with these features, how many a fit reads. */
export const trialsFitted = (trials: number, sets: Values): number =>
  Math.min(trials, fitSize.trials, Math.floor(fitSize.featureBytes / Math.max(1, bytesPerTrial(sets))));

/** Bytes of memory that a fit takes. */
export function fitBytes({
  trials,
  sets,
  candidates,
}: {
  readonly trials: number;
  readonly sets: Values;
  readonly candidates: number;
}): number {
  const read = trialsFitted(trials, sets);
  const { base, perFeatureByte, perTrialAndCandidate } = fitSize;
  return Math.ceil(base + read * (bytesPerTrial(sets) * (1 + perFeatureByte) + perTrialAndCandidate * candidates));
}
