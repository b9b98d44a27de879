import type { CorrectedScore } from '../evidence/bias-corrected.ts';
import type { Priors } from '../evidence/priors.ts';
import type { Growth } from '../evidence/full-size.ts';
import type { AveragedMember, CandidateScore, FoldPlan, LearningPoint } from '../evidence/types.ts';
import type { ControlEvidence } from '../evidence/control.ts';
import type { Centring, Head, Method, Patterns, TrainingData } from '../methods/types.ts';
import type { DatasetShape, ReferencePrior, ReferenceStanding, SignalShape } from '../types.ts';

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

/** A method in a pool: what it decides at `temperature` counts by `weight`. */
export interface PoolMember extends AveragedMember {
  readonly weight: number;
  /** As in `CandidateScore`. */
  readonly averaged?: readonly AveragedMember[];
}

export interface Choice {
  /** The id of a method, or `pool`. */
  readonly method: string;
  /** Of the method, as it was scored: everything that follows in the fit is of this version. */
  readonly version: string;
  readonly temperature: number;
  /** As in `CandidateScore`. */
  readonly averaged?: readonly AveragedMember[];
  /** Why this one, in words with numbers. */
  readonly explanation: string;
  /** The pool that was a candidate too, the best single method first; absent where there was one method only. */
  readonly pool?: readonly PoolMember[];
}

/** What a pool mixes: one of the model's `members`, or an average of several. */
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

/** Part of a refit that can be done by itself. Plain data. */
export interface RefitPart {
  /** The family whose shared work it goes on from; null: it shares none. */
  readonly family: string | null;
  /** Indices among the methods that are fitted (see `partsOf`). */
  readonly methods: readonly number[];
  readonly centres: readonly CentrePart[];
}

/** The same once it is done: heads by the indices of their methods, centres of the sets that have one. */
export interface FittedPart {
  readonly heads: readonly (readonly [method: number, head: Head])[];
  readonly centres: readonly (CentrePart & { readonly values: Float64Array })[];
}

/** A hosted classifier: plain data, pinned to the versions of all that moves its numbers (see `ml/pins`). */
export interface FittedModel {
  readonly format: 2;
  /** Version of how its log-scores become probabilities; absent in models stored before it was a pin: 1. */
  readonly answer?: number;
  readonly method: { readonly id: string; readonly version: string; readonly title: string };
  /** Of an average or a pool: the methods it is made of, in the order of their heads. */
  readonly members?: readonly { readonly id: string; readonly version: string }[];
  /** Of a pool: how it mixes its members. */
  readonly mix?: readonly MixPart[];
  readonly classes: readonly string[];
  /** Probability of each class before a trial is looked at; absent: all alike. */
  readonly prior?: readonly number[];
  readonly shape: SignalShape;
  readonly featureSets: readonly string[];
  /** Version of the recipe of each family among the sets; the resampler's is in `shape`. */
  readonly featureVersions: Readonly<Record<string, number>>;
  readonly head: Head;
  readonly temperature: number;
  /** What log-scores with `align: "none"` are divided by instead; absent: `temperature` too. */
  readonly temperatureAlone?: number;
  /** Centre of the training trials per feature set, for `align: "batch"`. */
  readonly centres: Readonly<Record<string, Float64Array>>;
  /** Of a sleep model: how stages follow each other [classes × classes], for `align: "batch"`; see `sequenceOf`. */
  readonly sequence?: Float64Array;
  /** By the id of an encoder: what the trials of the fit were read against; see `EncodedTrials`. */
  readonly standards?: Readonly<Record<string, Float64Array>>;
  /** Of a pool: the centres for those of its members that are recentred on the arithmetic mean. */
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
 * What choosing among all candidates is worth: the score free of the winner's curse, and how likely chance alone is to
 * reach the winner's. `corrected` is null, and `p` no number, where no folds can tell.
 */
export interface Weighed {
  readonly corrected: CorrectedScore | null;
  readonly permutation: { readonly p: number; readonly permutations: number };
}

/** What one control reached, or why it was not measured. Plain data. */
export interface ControlScore {
  readonly id: string;
  readonly title: string;
  readonly status: 'scored' | 'failed' | 'not_measured';
  readonly reached: ControlEvidence | null;
  /** In words; null where it was scored. */
  readonly reason: string | null;
}

/** What the refitted method reads, where that can be drawn; else why not. Plain data. */
export interface FittedPatterns {
  /** Whose they are: the chosen method, or the best single one of a pool. */
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
  /** What more trials than the folds train on bring; null or absent: not measured. */
  readonly growth?: Growth | null;
  /** What eyes, muscles and the time before the cue reach on the same folds. */
  readonly controls?: readonly ControlScore[];
  /** What the refitted method reads. */
  readonly patterns?: FittedPatterns;
}

export interface TrainOptions {
  readonly kind?: DatasetShape['kind'];
  readonly frequenciesHz?: readonly number[];
  readonly missingChannels?: DatasetShape['missingChannels'];
  /** Name of each trial's recording, for recentring; absent: the sessions. */
  readonly recordings?: readonly string[] | null;
  /** How long each trial lasts before its cue; absent: not known. */
  readonly baselineSeconds?: number;
  /** Method ids to try; absent: all that can read the data. */
  readonly candidates?: readonly string[];
  /** As in `TrainingData`. */
  readonly priors?: Priors;
  /** What other people's recordings say of the classes, in their order; or why nothing. */
  readonly reference?: ReferencePrior | ReferenceStanding;
}
