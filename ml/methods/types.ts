import type { Priors } from '../evidence/priors.ts';
import type { LabelledTrials } from '../evidence/types.ts';
import type { DatasetShape, Features, NetworkTask, ReferencePrior, TaskKind } from '../types.ts';
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

/** Training data of every method. Row i of each feature set is trial i. */
export interface TrainingData extends LabelledTrials {
  /** Kind of task, for the prior of each method; absent: no named kind. */
  readonly kind?: TaskKind;
  readonly features: Features;
  /**
   * Recording of each trial, if `normalization_context` names them: each is recentred separately. Absent or null: the
   * sessions.
   */
  readonly recordings?: Int32Array | null;
  /** Class prior of the model's answers; absent: balanced. */
  readonly priors?: Priors;
  /** Prior from other people's recordings, for the classes in their order; absent: none. */
  readonly reference?: ReferencePrior;
  /** Why there is no prior although methods that need it were chosen, from "needs" on. */
  readonly referenceLost?: string;
  /** As in `DatasetShape`. */
  readonly network?: NetworkTask;
  /** Networks of the movement network that are read, by index; absent: all. See `networksWithout`. */
  readonly networks?: Int32Array;
  /** Why none of the networks may be read, from "needs" on; absent: some may. */
  readonly networksLost?: string;
  /** Outcome of each pretrained encoder, by id; absent: none was requested. */
  readonly encoded?: Readonly<Record<string, EncoderOutcome>>;
}

/** How an encoder read the trials of a fit. */
export interface EncoderOutcome {
  readonly seconds: number;
  /** Why its features are missing; absent: they are not, or it was dropped. */
  readonly lost?: string;
  /** Methods on its features that did not justify reading all trials. */
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

/** The mean on which a session's covariances are recentred: Riemannian (Zanini 2018) or arithmetic (He & Wu 2020). */
export type Centring = 'riemannian' | 'euclidean';

export interface FitContext {
  readonly data: TrainingData;
  /** The training trials. Nothing else of `data` may influence the head, except `unlabelled`. */
  readonly rows: Int32Array;
  /** Trials, including `rows`, whose signal may be read but not their labels. */
  readonly unlabelled?: Int32Array;
  /** Temperatures of an average's readable members; absent: 1 for each. */
  readonly temperatures?: readonly number[];
  readonly workspace: Workspace;
}

/** Spread over the channels of the source that one filter or one weighted feature reads. */
export interface Pattern {
  /** A frequency band, a window in time, or a spatial filter. */
  readonly name: string;
  /** The class whose log-score rises with it; null for a spatial filter. */
  readonly class: string | null;
  /** Weight of the filter's log-variance in each class's log-score; null for other patterns. */
  readonly weights: Float64Array | null;
  /** One per channel; the largest of a filter, or of a class, is 1 or −1. */
  readonly values: Float64Array;
}

export interface Patterns {
  /** Unit of the channel values. */
  readonly unit: string;
  readonly components: readonly Pattern[];
}

/** A row of the registry at a version. */
export interface MethodVersion {
  readonly id: string;
  readonly version: string;
}

/** One candidate method, with everything that selection, scoring and hosting need. */
export interface Method {
  readonly id: string;
  /** Increases if the same data would give another head. */
  readonly version: string;
  readonly title: string;
  /** Paper or library the algorithm follows. */
  readonly source: string;
  /** Methods of one family reuse work within a fold: score them in one thread with one workspace. */
  readonly family: string;
  /**
   * The kinds of task on which it is tried. Each kind has at least one method for each sort of feature (covariances,
   * powers, time courses, slow potentials), because a description may mislead: the kind sets the prior, and the trials
   * decide.
   */
  readonly kinds: readonly TaskKind[];
  /**
   * Ids of the feature sets it reads. They depend only on the frequencies of the shape, on whether only stored sets are
   * available, and on the installed weights.
   */
  featureSets(
    shape: Pick<DatasetShape, 'frequenciesHz'> & Partial<Pick<DatasetShape, 'storedFeaturesOnly' | 'encoders'>>,
  ): readonly string[];
  /** null: it can be tried; else the reason as text with numbers. Reads only the shape. */
  unreadable(shape: DatasetShape): string | null;
  /** True if it needs recordings of other people. */
  readonly needsOthers?: true;
  /** How a batch is recentred before this method decides; default: Riemannian. */
  readonly centring?: Centring;
  /** The members of an average. Its scores on the folds are the averages of theirs. */
  readonly members?: readonly MethodVersion[];
  /** The members of an average that can read such data and, if features are given, whose sets exist. */
  membersFor?(shape: DatasetShape, features?: Features): readonly MethodVersion[];
  /**
   * Loads dependencies of fitting, which deciding does not need; awaited in the thread before a fit. If it fails, `fit`
   * throws with the reason.
   */
  prepare?(): Promise<void>;
  fit(context: FitContext): Head;
  /**
   * Log-scores [rows × classes]. Row i depends only on that trial, bit for bit. `workspace` caches representations for
   * the methods of one fold.
   */
  decide(head: Head, features: Features, rows: Int32Array, workspace: Workspace): Float64Array;
  /**
   * Patterns of a head fitted on all of `data`; null if the head has none. Absent if the method is not linear in the
   * channel values.
   */
  readonly patterns?: (head: Head, data: TrainingData, workspace: Workspace) => Patterns | null;
}
