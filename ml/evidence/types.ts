/** What the evidence is about and how it is gathered. Plain data: nothing here knows a method or a feature. */

/** Trials as the folds and the scores see them: their classes and sessions, never their signal. */
export interface LabelledTrials {
  /** Index into `classes`, one per trial. */
  readonly labels: Int32Array;
  readonly classes: readonly string[];
  /** Index into `sessionNames`, one per trial; null when the caller named no session. */
  readonly sessions: Int32Array | null;
  readonly sessionNames?: readonly string[];
  /** Trials that share a stretch of the recording; null or absent: none do. */
  readonly links?: Links | null;
  /** Absent: these are all trials. */
  readonly sampledFrom?: SampledFrom;
}

/** Labels that come in blocks: what drifts through a recording then differs between the classes. */
export interface Blocks {
  /** Block of each trial: trials of one class that follow each other, within a session where there are some. */
  readonly of: Int32Array;
  /** Blocks of each class. */
  readonly perClass: readonly number[];
  readonly count: number;
  /** Runs of one label that the same labels would have in random order. */
  readonly expected: number;
  /** Whether the blocks of every session come in one and the same order, as far as they go; false without sessions. */
  readonly sameOrder: boolean;
}

/** The trials from which a sample was drawn, where the sample alone does not show it. Plain data. */
export interface SampledFrom {
  /** Trials of each class, in the order of the classes. */
  readonly perClass: readonly number[];
  /** Place of each sampled trial in the order of all trials. */
  readonly rows: Int32Array;
  /** Blocks of labels among all trials, of which `of` names those of the sampled trials; null: no blocks. */
  readonly blocks: Blocks | null;
}

/** Which trials share a stretch of the recording, and where in it each begins. Plain data. */
export interface Links {
  /** Number of the chain of linked trials that each is in; −1: linked to none. */
  readonly chain: Int32Array;
  /** Where each trial begins, seconds on the clock of its chain. */
  readonly at: Float64Array;
  /** Length of a trial, seconds. */
  readonly seconds: number;
}

export interface Fold {
  readonly train: Int32Array;
  readonly test: Int32Array;
  /** Which pass over the trials this fold belongs to; within a pass every trial is tested at most once. */
  readonly pass: number;
  /** Names of the sessions held out; empty when folds are drawn from the trials. */
  readonly heldOut: readonly string[];
}

/** A fit that leaves out a fold entirely, so that choosing for that fold can be repeated without having seen it. */
export interface InnerFit {
  readonly train: Int32Array;
  readonly tests: readonly { readonly rows: Int32Array; readonly outer: number }[];
}

export type Validation = 'sessions' | 'stratified' | 'within_sessions' | 'blocks';

/** Deterministic in labels, sessions and links alone, so any process that has them plans the same folds. */
export interface FoldPlan {
  readonly validation: Validation;
  readonly folds: readonly Fold[];
  /** Passes that give the reported evidence are 0 … evidencePasses − 1. */
  readonly evidencePasses: number;
  /** All passes: beyond the evidence, those that only help to tell candidates apart. */
  readonly passes: number;
  /** Group of each trial: sessions that are held out, shuffled and drawn as one; null without sessions. */
  readonly groups: Int32Array | null;
  /** Unit of each trial: linked trials, or blocks, that are held out and drawn as one; null: each trial is its own. */
  readonly units: Int32Array | null;
  /** Units of one class each whose labels a permutation shuffles; null: each trial is its own. */
  readonly shuffled: Int32Array | null;
  /** Why no folds can tell whether the score is of the classes; null where they can. */
  readonly withheld: string | null;
  /**
   * Fits that repeat the choice without each fold of pass 0 (nested validation); empty where trials are many enough to
   * do without.
   */
  readonly inner: readonly InnerFit[];
  readonly description: string;
  readonly warnings: readonly string[];
}

/** A method in an average: what it decides counts at `temperature`. */
export interface AveragedMember {
  readonly id: string;
  readonly version: string;
  readonly title: string;
  readonly temperature: number;
}

/** Result of one candidate on every fold of a plan. Plain data. */
export interface CandidateScore {
  readonly method: string;
  readonly version: string;
  readonly title: string;
  readonly family: string;
  /**
   * Published prior of the method for this kind of task: log-loss expected beyond that of the best known, in hundredths
   * of a nat.
   */
  readonly publishedDisadvantage: number;
  /** `dropped`: not scored beyond the first fold, of which its scores then are. */
  readonly status: 'scored' | 'failed' | 'dropped';
  /** Why it failed or was dropped, in words; null when scored. */
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
  /** Of an average: what it is made of, at the temperatures by which it is refitted; absent: of no members. */
  readonly averaged?: readonly AveragedMember[];
  readonly seconds: number;
}

/** One point of a learning curve. */
export interface LearningPoint {
  readonly trialsPerClass: number;
  readonly balancedAccuracy: number;
  /** Class that each trial was predicted as, held out; −1 where it was not tested. */
  readonly predicted: Int32Array;
}
