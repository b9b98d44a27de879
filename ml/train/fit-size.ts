const mebibyte = 1024 * 1024;

/**
 * What a fit may take of memory and takes of processor time, known before it begins. `fit-cost.slow.test.ts` compares
 * it with measured fits.
 */
export const fitSize = {
  /** Feature tables of a fit, bytes: of trials with more, a sample is read. */
  featureBytes: 256 * mebibyte,
  /** The largest of these tables, of which methods make several others while they work. */
  tableBytes: 72 * mebibyte,
  /** Trials that a fit reads. */
  trials: 16_384,
  /** A fit that reads fewer than this leaves out a feature set if it then reads at least `worthLeavingOut` times as many. */
  fewTrials: 2_048,
  worthLeavingOut: 2,
  /** What a fit holds besides, bytes: */
  base: 16 * mebibyte,
  /** and what each candidate keeps of a trial: its scores on all folds. */
  perTrialAndCandidate: 400,
} as const;

/** Values of each feature set, of one trial. */
type Values = Readonly<Record<string, number>>;

const { BYTES_PER_ELEMENT: bytes } = Float64Array;
const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);

/** Of so many trials with these features, how many a fit reads. */
export function trialsFitted(trials: number, sets: Values): number {
  const values = Object.values(sets);
  const most = [
    fitSize.featureBytes / (bytes * Math.max(1, sum(values))),
    fitSize.tableBytes / (bytes * Math.max(1, ...values)),
  ];
  return Math.min(trials, fitSize.trials, ...most.map(Math.floor));
}

/**
 * The feature sets that a fit of so many trials reads. While it would read few of the trials, the widest sets are left
 * out if it reads many more without them: methods that read narrower sets learn more from those.
 */
export function setsFitted(trials: number, sets: Values): Values {
  const read = trialsFitted(trials, sets);
  if (read >= Math.min(trials, fitSize.fewTrials)) return sets;
  const widest = Math.max(...Object.values(sets));
  const narrower = Object.fromEntries(Object.entries(sets).filter(([, values]) => values < widest));
  const isWorth = Object.keys(narrower).length > 0 && trialsFitted(trials, narrower) >= fitSize.worthLeavingOut * read;
  return isWorth ? setsFitted(trials, narrower) : sets;
}

/**
 * Bytes that a fit of so many trials holds from its beginning to its end: features and scores. What its tasks need while
 * they run belongs to the threads, which are bounded by themselves (`createWorkspace`).
 */
export function fitBytes({
  trials,
  sets,
  candidates,
}: {
  readonly trials: number;
  readonly sets: Values;
  readonly candidates: number;
}): number {
  const perTrial = bytes * sum(Object.values(sets)) + fitSize.perTrialAndCandidate * candidates;
  return Math.ceil(fitSize.base + trialsFitted(trials, sets) * perTrial);
}
