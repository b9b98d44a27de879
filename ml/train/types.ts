import type { CorrectedScore } from '../evidence/bias-corrected.ts';
import type { Priors } from '../evidence/priors.ts';
import type { Growth } from '../evidence/full-size.ts';
import type { AveragedMember, CandidateScore, FoldPlan, LearningPoint } from '../evidence/types.ts';
import type { ControlEvidence } from '../evidence/control.ts';
import type { WithoutPart } from '../evidence/without-part.ts';
import type { Centring, Head, Method, Patterns, TrainingData } from '../methods/types.ts';
import type {
  DatasetShape,
  EncoderAvailability,
  NetworkTask,
  ReferencePrior,
  ReferenceAvailability,
  SignalShape,
} from '../types.ts';

export type { FirstFold } from '../evidence/dropped-candidates.ts';
export type * from '../evidence/types.ts';
export type { Growth } from '../evidence/full-size.ts';
export type { Priors } from '../evidence/priors.ts';
export type { TrainingData } from '../methods/types.ts';

export interface Skipped {
  readonly id: string;
  readonly title: string;
  readonly reason: string;
}

/** A method in a pool: its log-scores at `temperature` count with `weight`. */
export interface PoolMember extends AveragedMember {
  readonly weight: number;
  /** As in `CandidateScore`. */
  readonly averaged?: readonly AveragedMember[];
}

export interface Choice {
  /** The id of a method, or `pool`. */
  readonly method: string;
  /** Version of the method that was scored. All later steps of the fit use this version. */
  readonly version: string;
  readonly temperature: number;
  /** As in `CandidateScore`. */
  readonly averaged?: readonly AveragedMember[];
  /** Reason for this choice, as text with numbers. */
  readonly explanation: string;
  /**
   * Expected log-loss of each scored candidate above that of the chosen one, or of a pool's best member, by its trials
   * and its prior, nats; null: the trials show that it is worse. Absent in choices that compare nothing.
   */
  readonly expectedBehind?: Readonly<Record<string, number | null>>;
  /** The pool that was also a candidate, its best member first; absent if there was only one method. */
  readonly pool?: readonly PoolMember[];
}

/** A component of a pool: one of the model's `members`, or an average of several. */
export interface MixPart {
  /** Indices among the members. */
  readonly of: readonly number[];
  /** Of an average: the temperature of each of them. */
  readonly temperatures?: readonly number[];
  readonly weight: number;
  readonly temperature: number;
}

/** The centre of a feature set, or of one block of it. */
export interface CentrePart {
  readonly set: string;
  readonly centring: Centring;
  readonly block: number | null;
}

/** Part of a refit that can run independently. Plain data. */
export interface RefitPart {
  /** The family whose cached work it uses; null: none. */
  readonly family: string | null;
  /** Indices among the methods that are fitted (see `partsOf`). */
  readonly methods: readonly number[];
  readonly centres: readonly CentrePart[];
}

/** A finished part: heads by the indices of their methods, and centres of the sets that have one. */
export interface FittedPart {
  readonly heads: readonly (readonly [method: number, head: Head])[];
  readonly centres: readonly (CentrePart & { readonly values: Float64Array })[];
}

/** A hosted classifier: plain data, pinned to the versions of everything that changes its numbers (see `ml/pins`). */
export interface FittedModel {
  readonly format: 2;
  /** Version of the conversion from log-scores to probabilities; absent in models from before this pin: 1. */
  readonly answer?: number;
  readonly method: { readonly id: string; readonly version: string; readonly title: string };
  /** Members of an average or a pool, in the order of their heads. */
  readonly members?: readonly { readonly id: string; readonly version: string }[];
  /** Components of a pool. */
  readonly mix?: readonly MixPart[];
  readonly classes: readonly string[];
  /** Prior probability of each class; absent: all equal. */
  readonly prior?: readonly number[];
  readonly shape: SignalShape;
  readonly featureSets: readonly string[];
  /** Version of the recipe of each family among the sets; the resampler's is in `shape`. */
  readonly featureVersions: Readonly<Record<string, number>>;
  readonly head: Head;
  readonly temperature: number;
  /** Temperature with `align: "none"`; absent: `temperature`. */
  readonly temperatureAlone?: number;
  /** Centre of the training trials per feature set, for `align: "batch"`. */
  readonly centres: Readonly<Record<string, Float64Array>>;
  /**
   * Only if the centres are those of other people, at another scale: number of trials that they count as when a batch
   * is recentred. Absent: they are those of the model's own trials, and count as `batchPrior` trials.
   */
  readonly othersCount?: number;
  /** Transition matrix of a sleep model's stages [classes × classes], for `align: "batch"`; see `sequenceOf`. */
  readonly sequence?: Float64Array;
  /** Reference values of the fit's trials by encoder; see `EncodedTrials`. */
  readonly standards?: Readonly<Record<string, Float64Array>>;
  /** Centres for members of a pool that are recentred on the arithmetic mean. */
  readonly euclideanCentres?: Readonly<Record<string, Float64Array>>;
}

/** Plain snake_case JSON, names kept stable. `balanced_accuracy` and `chance` are the spec's. */
export type TrainingReport = { readonly [key: string]: unknown } & {
  readonly balanced_accuracy: number;
  readonly chance: number;
  readonly method: string;
  readonly warnings: readonly string[];
};

/**
 * Evidence of the choice among all candidates: the score without the winner's curse, and the p-value of the winner's
 * score. `corrected` is null and `p` is NaN if no folds can show it.
 */
export interface Weighed {
  readonly corrected: CorrectedScore | null;
  readonly permutation: { readonly p: number; readonly permutations: number };
}

/** Score of one control, or why it was not measured. Plain data. */
export interface ControlScore {
  readonly id: string;
  readonly title: string;
  readonly status: 'scored' | 'failed' | 'not_measured';
  readonly reached: ControlEvidence | null;
  /** The chosen method without what the control's part of the signal predicts; absent: not measured. */
  readonly without?: WithoutPart;
  /** The reason as text; null if it was scored. */
  readonly reason: string | null;
}

/** Patterns of the refitted method, or why there are none. Plain data. */
export interface FittedPatterns {
  /** The method of the patterns: the chosen one, or the best member of a pool. */
  readonly method: Pick<Method, 'id' | 'version' | 'title'>;
  readonly patterns: Patterns | null;
  readonly reason: string | null;
}

export interface ReportInput {
  readonly scores: readonly CandidateScore[];
  readonly skipped: readonly Skipped[];
  readonly choice: Choice;
  readonly weighed: Weighed;
  readonly data: TrainingData;
  readonly plan: FoldPlan;
  readonly warnings: readonly string[];
  /** Balanced accuracy of the chosen method refitted on part of each training fold. */
  readonly learningCurve?: readonly LearningPoint[];
  /** Gain from more trials than the folds train on; null or absent: not measured. */
  readonly growth?: Growth | null;
  /** Scores of eyes, muscles and the time before the cue on the same folds. */
  readonly controls?: readonly ControlScore[];
  /** Patterns of the refitted method. */
  readonly patterns?: FittedPatterns;
}

export interface TrainOptions {
  readonly kind?: DatasetShape['kind'];
  readonly frequenciesHz?: readonly number[];
  readonly missingChannels?: DatasetShape['missingChannels'];
  /** Name of each trial's recording, for recentring; absent: the sessions. */
  readonly recordings?: readonly string[] | null;
  /** Length of each trial before its cue, seconds; absent: unknown. */
  readonly baselineSeconds?: number;
  /** Method ids to try; absent: all that can read the data. */
  readonly candidates?: readonly string[];
  /** As in `TrainingData`. */
  readonly priors?: Priors;
  /** Prior from other people's recordings, for the classes in their order; or why there is none. */
  readonly reference?: ReferencePrior | ReferenceAvailability;
  /** As in `DatasetShape`. */
  readonly network?: NetworkTask;
  /** As in `TrainingData`. */
  readonly networks?: Int32Array;
  /** As in `DatasetShape`. */
  readonly encoders?: EncoderAvailability;
}
