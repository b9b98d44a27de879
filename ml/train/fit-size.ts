import { mlLimits } from '../limits.ts';

const mebibyte = 1024 * 1024;

/**
 * Limits of a fit's memory and processor time, known before it begins. `fit-cost.slow.test.ts` compares them with
 * measured fits. The winner is refitted on the same trials: in a simulated study of 8 channels balanced accuracy was
 * 0.820 with 3,932 training trials and 0.819 with 13,107, so more trials do not help.
 */
export const fitSize = {
  /** Feature tables of a fit, bytes. If all trials would need more, the fit reads a sample. */
  featureBytes: 256 * mebibyte,
  /** The largest of these tables, bytes. Methods make several others from it while they work. */
  tableBytes: 72 * mebibyte,
  /**
   * A fit that reads fewer trials than this leaves out a feature set if it then reads at least `worthLeavingOut` times
   * as many. Measured on imagery of 60 people, 64 channels, people held out, tangent space and ridge: balanced accuracy
   * 0.577 with 400 training trials, 0.601 with 1,143, 0.613 with 2,100. A higher bound costs more than the last step is
   * worth: a fit of 3,000 trials of 64 channels took over 80 s of processor time and 1.4 GiB.
   */
  fewTrials: 1_024,
  worthLeavingOut: 1.5,
  /** Memory of a fit in addition to its tables, bytes: constant, */
  base: 16 * mebibyte,
  /** and for each trial and candidate: its scores on all folds. */
  perTrialAndCandidate: 400,
  /** Memory of its tasks in each thread, bytes: code and lists, */
  threadBase: 28 * mebibyte,
  /** tables made of the features, as multiples of them, */
  threadTables: 24,
  /** of which a thread keeps at most this much (`infra/drivers/process-memory.ts`). */
  threadTablesMost: 192 * mebibyte,
  /** and working tables of a method, as multiples of the largest feature set. */
  threadLargest: 5,
  /** Processor time, seconds: for each candidate, */
  secondsPerCandidate: 0.05,
  /** for each trial and candidate, */
  secondsPerTrialAndCandidate: 120e-6,
  /** and for each feature value. The number of features grows with the square of the channels. */
  secondsPerNumber: 1e-6,
  /** Fits of few trials are repeated on further folds until they have tested about this many trials. */
  trialsTested: 240,
  mostRepeats: 5,
} as const;

/** Number of values of each feature set for one trial. */
type Values = Readonly<Record<string, number>>;

const { BYTES_PER_ELEMENT: bytes } = Float64Array;
const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);

/** Number of trials that a fit reads, of `trials` with these features. */
export function trialsFitted(trials: number, sets: Values): number {
  const values = Object.values(sets);
  const most = [
    fitSize.featureBytes / (bytes * Math.max(1, sum(values))),
    fitSize.tableBytes / (bytes * Math.max(1, ...values)),
  ];
  return Math.min(trials, mlLimits.trialsPerFit, ...most.map(Math.floor));
}

/**
 * The feature sets that a fit of this many trials reads. If it would read few of the trials, the widest sets are left
 * out, provided that it then reads many more. Methods with narrower sets gain more from those trials.
 */
export function setsFitted(trials: number, sets: Values): Values {
  const read = trialsFitted(trials, sets);
  if (read >= Math.min(trials, fitSize.fewTrials)) return sets;
  const widest = Math.max(...Object.values(sets));
  const narrower = Object.fromEntries(Object.entries(sets).filter(([, values]) => values < widest));
  const isWorth = Object.keys(narrower).length > 0 && trialsFitted(trials, narrower) >= fitSize.worthLeavingOut * read;
  return isWorth ? setsFitted(trials, narrower) : sets;
}

export interface FitCost {
  /** Trials that the fit reads. */
  readonly trials: number;
  /** Bytes of features and scores, from the fit's beginning to its end. */
  readonly bytes: number;
  /** Bytes of its tasks in each thread. All fits of a process use the same threads (`createWorkspace`). */
  readonly threadBytes: number;
  /** Processor time of all its tasks. */
  readonly seconds: number;
}

/** The cost of a fit of this many trials, known before it begins. */
export function fitCost({
  trials: sent,
  sets,
  candidates,
}: {
  readonly trials: number;
  readonly sets: Values;
  readonly candidates: number;
}): FitCost {
  const trials = trialsFitted(sent, sets);
  const numbers = trials * sum(Object.values(sets));
  const repeats = Math.min(fitSize.mostRepeats, Math.max(1, fitSize.trialsTested / trials));
  return {
    trials,
    bytes: fitSize.base + bytes * numbers + fitSize.perTrialAndCandidate * trials * candidates,
    threadBytes:
      fitSize.threadBase +
      Math.min(fitSize.threadTablesMost, fitSize.threadTables * bytes * numbers) +
      fitSize.threadLargest * bytes * trials * Math.max(0, ...Object.values(sets)),
    seconds:
      candidates * (fitSize.secondsPerCandidate + fitSize.secondsPerTrialAndCandidate * trials * repeats) +
      fitSize.secondsPerNumber * numbers * repeats,
  };
}
