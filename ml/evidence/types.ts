/** Types of the evidence. Plain data: this file knows no method and no feature. */

/** Classes and sessions of trials, without their signal. */
export interface LabelledTrials {
  /** Index into `classes`, one per trial. */
  readonly labels: Int32Array;
  readonly classes: readonly string[];
  /** Index into `sessionNames`, one per trial; null when the caller named no session. */
  readonly sessions: Int32Array | null;
  readonly sessionNames?: readonly string[];
  /** Trials that overlap in the recording; null or absent: none. */
  readonly links?: Links | null;
  /** First trial of each session that was found in the signal and not named by the caller; absent: none was found. */
  readonly foundSessions?: readonly number[];
  /** Absent: these are all trials. */
  readonly sampledFrom?: SampledFrom;
}

/** Labels in blocks. A drift through the recording then differs between the classes. */
export interface Blocks {
  /** Block of each trial: trials of one class that follow each other, within a session where there are some. */
  readonly of: Int32Array;
  /** Blocks of each class. */
  readonly perClass: readonly number[];
  readonly count: number;
  /** Runs of one label that the same labels would have in random order. */
  readonly expected: number;
  /** True if the blocks of every session have the same order, as far as they go; false without sessions. */
  readonly sameOrder: boolean;
}

/** All trials from which a sample was drawn: facts that the sample does not show. Plain data. */
export interface SampledFrom {
  /** Trials of each class, in the order of the classes. */
  readonly perClass: readonly number[];
  /** Place of each sampled trial in the order of all trials. */
  readonly rows: Int32Array;
  /** Blocks of labels among all trials, of which `of` names those of the sampled trials; null: no blocks. */
  readonly blocks: Blocks | null;
}

/** Which trials overlap in the recording or are copies, and where each begins. Plain data. */
export interface Links {
  /** Chain of linked trials of each trial; −1: not linked. */
  readonly chain: Int32Array;
  /** Where each trial begins, seconds on the clock of its chain. */
  readonly at: Float64Array;
  /** Length of a trial, seconds. */
  readonly seconds: number;
  /** 1: the trial is an altered copy of another, or has one (see `nearCopiesInSteps`). Absent: none is. */
  readonly altered?: Uint8Array;
}

export interface Fold {
  readonly train: Int32Array;
  readonly test: Int32Array;
  /** Which pass over the trials this fold belongs to; within a pass every trial is tested at most once. */
  readonly pass: number;
  /** Names of the sessions held out; empty when folds are drawn from the trials. */
  readonly heldOut: readonly string[];
}

/** A fit without a whole fold, so that the choice for that fold can be repeated without having seen it. */
export interface InnerFit {
  readonly train: Int32Array;
  readonly tests: readonly { readonly rows: Int32Array; readonly outer: number }[];
}

export type Validation = 'sessions' | 'stratified' | 'within_sessions' | 'blocks';

/** Depends only on labels, sessions and links, so every process plans the same folds. */
export interface FoldPlan {
  readonly validation: Validation;
  readonly folds: readonly Fold[];
  /** Passes that give the reported evidence are 0 … evidencePasses − 1. */
  readonly evidencePasses: number;
  /** All passes: those of the evidence, then those that only help selection. */
  readonly passes: number;
  /** Group of each trial: sessions that are held out, shuffled and drawn as one; null without sessions. */
  readonly groups: Int32Array | null;
  /**
   * Unit of each trial: linked trials, or blocks, that are held out and drawn as one; null: each trial is its own unit.
   */
  readonly units: Int32Array | null;
  /** Units of one class each whose labels a permutation shuffles; null: each trial is its own unit. */
  readonly shuffled: Int32Array | null;
  /** Why no folds can show whether the score comes from the classes; null if they can. */
  readonly withheld: string | null;
  /** Fits that repeat the choice without each fold of pass 0 (nested validation); empty if there are many trials. */
  readonly inner: readonly InnerFit[];
  readonly description: string;
  readonly warnings: readonly string[];
}

/** A method in an average, with the temperature of its log-scores. */
export interface AveragedMember {
  readonly id: string;
  readonly version: string;
  readonly title: string;
  readonly temperature: number;
}

/**
 * Log-loss of a method on this sort of data before any trial of the person is seen, nats. Only differences between
 * methods of one data set have a meaning. Plain data.
 */
export interface Prior {
  readonly mean: number;
  /** Standard deviation over people. */
  readonly sd: number;
  /** People on whom it was measured; 0: a published figure. */
  readonly people: number;
}

/** Result of one candidate on every fold of a plan. Plain data. */
export interface CandidateScore {
  readonly method: string;
  readonly version: string;
  readonly title: string;
  readonly family: string;
  readonly prior: Prior;
  /** `dropped`: scored on the first fold only. */
  readonly status: 'scored' | 'failed' | 'dropped';
  /** Why it failed or was dropped, as text; null when scored. */
  readonly reason: string | null;
  /** Log-scores [passes × trials × classes]; NaN where a trial was not tested in a pass. Empty unless scored. */
  readonly outOfFold: Float64Array;
  /** The same with every held-out session aligned as a batch; null without sessions. */
  readonly aligned: Float64Array | null;
  /**
   * Log-scores [folds of pass 0 × trials × classes] of fits that saw neither the fold nor the trial; null without inner
   * fits.
   */
  readonly nested: Float64Array | null;
  /** Balanced accuracy of each evidence fold. */
  readonly foldScores: readonly number[];
  readonly balancedAccuracy: number;
  /** Class-balanced log-loss of calibrated probabilities, nats. */
  readonly logLoss: number;
  readonly temperature: number;
  /** Members of an average, at their temperatures in the refit; absent: not an average. */
  readonly averaged?: readonly AveragedMember[];
  readonly seconds: number;
}

/** One point of a learning curve. */
export interface LearningPoint {
  readonly trialsPerClass: number;
  readonly balancedAccuracy: number;
  /** Held-out prediction of each trial: class index; −1: not tested. */
  readonly predicted: Int32Array;
}
