import type { Priors } from '../evidence/priors.ts';
import type { LabelledTrials } from '../evidence/types.ts';
import type { DatasetShape, Features, ReferencePrior, TaskKind } from '../types.ts';
import type { Workspace } from './workspace.ts';

/** Fitted numbers of a method: plain serialisable data (numbers, strings, typed arrays, lists and records of them). */
export type Head = { readonly [name: string]: HeadValue };
export type HeadValue =
  | null
  | boolean
  | number
  | string
  | Float64Array
  | Float32Array
  | Int32Array
  | Uint8Array
  | readonly HeadValue[]
  | { readonly [name: string]: HeadValue };

/** What every method is fitted on. Row i of each feature set is trial i. */
export interface TrainingData extends LabelledTrials {
  /** Kind of task, whose published comparisons count; absent: no named kind. */
  readonly kind?: TaskKind;
  readonly features: Features;
  /**
   * Recording of each trial where `normalization_context` names them: recentred by itself. Absent or null: the
   * sessions.
   */
  readonly recordings?: Int32Array | null;
  /** How likely the classes are beforehand in what the model answers; absent: balanced. */
  readonly priors?: Priors;
  /** What other people's recordings say of these classes, in their order; absent: nothing. */
  readonly reference?: ReferencePrior;
  /** Why there is none although methods were chosen that begin from it, from "needs" on. */
  readonly referenceLost?: string;
  /** What became of the features of pretrained encoders, by the encoder's id; absent: none was asked for. */
  readonly encoded?: Readonly<Record<string, EncoderOutcome>>;
}

/** How an encoder read the trials of a fit. */
export interface EncoderOutcome {
  readonly seconds: number;
  /** Why its features are not there; absent: they are, or it was dropped. */
  readonly lost?: string;
  /** Methods on its features that were not worth reading all trials for. */
  readonly dropped?: readonly EarlyDrop[];
}

/** A candidate that was dropped before all trials were read for it. */
export interface EarlyDrop {
  readonly method: string;
  /** On trials of the first fold. */
  readonly balancedAccuracy: number;
  readonly logLoss: number;
  readonly reason: string;
}

/**
 * Which mean of covariances a session is recentred on: the Riemannian one (Zanini 2018), or the arithmetic one (He & Wu
 * 2020).
 */
export type Centring = 'riemannian' | 'euclidean';

export interface FitContext {
  readonly data: TrainingData;
  /** The trials that may be looked at; nothing else of `data` may influence the head. */
  readonly rows: Int32Array;
  /** Trials, `rows` among them, whose signal but not whose labels may be looked at besides. */
  readonly unlabelled?: Int32Array;
  /** Of an average: the temperature of each member that can read the data; absent: each counts as it decides. */
  readonly temperatures?: readonly number[];
  readonly workspace: Workspace;
}

/** How the source that one filter or one weighted feature reads spreads over the channels. */
export interface Pattern {
  /** A frequency band, a window in time, or a spatial filter. */
  readonly name: string;
  /** The class whose log-score rises with it; null for a spatial filter. */
  readonly class: string | null;
  /** What the log-score of each class weighs the log-variance behind a spatial filter; null for others. */
  readonly weights: Float64Array | null;
  /** One per channel; the largest of a filter, or of a class, is 1 or −1. */
  readonly values: Float64Array;
}

export interface Patterns {
  /** Of what each channel holds. */
  readonly unit: string;
  readonly components: readonly Pattern[];
}

/**
 * How much worse than the best of each kind of task the literature found a method, in hundredths of a nat of log-loss;
 * 0: as good as any known. A prior set by hand that decides between candidates which few trials cannot tell apart. Its
 * sources, beside the method's own: for motor tasks and evoked responses the benchmark of Chevallier et al. 2024
 * (arXiv:2404.15319), where one point of AUC counts 1.5 and 10 stands for all that are far behind; for sleep Vallat &
 * Walker 2021 (eLife 10:e70092). Tasks of no named kind have no benchmark: the SSVEP sets of the first where they speak
 * of a method, else about half of what motor tasks say. A kind without an entry: the method is not tried on it.
 */
export type Published = Readonly<Partial<Record<TaskKind, number>>>;

/** A row of the registry at a version. */
export interface MethodVersion {
  readonly id: string;
  readonly version: string;
}

/** One candidate: everything selection, scoring and hosting need to know about it. */
export interface Method {
  readonly id: string;
  /** Changes whenever the same data would give another head. */
  readonly version: string;
  readonly title: string;
  /** Paper or library the algorithm follows. */
  readonly source: string;
  /** Methods of one family share fold-wise work: score them in one thread with one workspace. */
  readonly family: string;
  /** The kinds of task it is tried on, and how far behind the best of each it was found; see `Published`. */
  readonly publishedDisadvantage: Published;
  /**
   * Ids of the feature sets it reads; only the frequencies of the shape decide, whether sets that are not stored can be
   * had, and which weights there are.
   */
  featureSets(
    shape: Pick<DatasetShape, 'frequenciesHz'> & Partial<Pick<DatasetShape, 'storedFeaturesOnly' | 'encoders'>>,
  ): readonly string[];
  /** null: can be tried; else the reason in words with the numbers. Reads the shape only. */
  unreadable(shape: DatasetShape): string | null;
  /** Whether it begins from recordings of other people and cannot be tried without them. */
  readonly needsOthers?: true;
  /** How a batch is recentred before this method decides; Riemannian where absent. */
  readonly centring?: Centring;
  /** Of an average: the methods it averages. Its scores on the folds are the averages of theirs. */
  readonly members?: readonly MethodVersion[];
  /**
   * Of an average: those of its members that can read such data and, where features are given, whose sets are there.
   */
  membersFor?(shape: DatasetShape, features?: Features): readonly MethodVersion[];
  /**
   * Loads what fitting needs and deciding does not; awaited in the thread before a fit. `fit` throws with the reason
   * where it failed.
   */
  prepare?(): Promise<void>;
  fit(context: FitContext): Head;
  /**
   * Log-scores [rows × classes]. Row i depends on that trial alone, bit for bit.
   * `workspace` shares representations between methods inside one fold.
   */
  decide(head: Head, features: Features, rows: Int32Array, workspace: Workspace): Float64Array;
  /**
   * Patterns of a head fitted on all of `data`; null where the head has none. Absent where the method is not linear in
   * what each channel holds.
   */
  readonly patterns?: (head: Head, data: TrainingData, workspace: Workspace) => Patterns | null;
}
