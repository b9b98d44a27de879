import type { FittedModel, TrainingReport } from '../train/types.ts';
import type { ReferencePrior, TaskKind } from '../types.ts';

/** The part of a reference task that the numerics need: its kind and its classes. */
export interface ReferenceTaskShape {
  readonly kind: TaskKind;
  /** Ids of the classes. */
  readonly classes: readonly string[];
}

/** One run of one person, on all electrodes of the data set. */
export interface ReferenceSignal {
  readonly run: string;
  /** Canonical 10-05 names. */
  readonly electrodes: readonly string[];
  readonly rateHz: number;
  /** [electrodes][samples], microvolts. */
  readonly signal: readonly Float32Array[];
  readonly stretches: readonly ReferenceStretch[];
}

/** A stretch of a run in which the participant does one thing: one trial, or time that is cut into trials. */
export interface ReferenceStretch {
  readonly classId: string;
  /** First sample. */
  readonly from: number;
  readonly samples: number;
}

/**
 * Stored features of one person: labelled stretches in consecutive slices, each with the second moments (or the mean)
 * of every electrode, so that any subset of electrodes and any length can be read without the recordings.
 */
export interface PersonFeatures {
  readonly format: 1;
  readonly person: string;
  readonly electrodes: readonly string[];
  /** Length of a slice. */
  readonly seconds: number;
  /** `moments`: packed upper triangles of second moments, µV²; `means`: means of each electrode, µV. */
  readonly kind: 'moments' | 'means';
  /** Class and run of each stretch. */
  readonly classIds: readonly string[];
  readonly runs: readonly string[];
  /** First slice of each stretch, and the number of all. [stretches + 1] */
  readonly first: Int32Array;
  /** [slices × values] */
  readonly values: Float32Array;
  /**
   * Mean square of each electrode's movement in 20 ms before any filter, µV², for detecting artefacts. [slices ×
   * electrodes]
   */
  readonly steps: Float32Array;
}

/** Shape of a caller's trials. */
export interface ReferenceShape {
  /** Canonical 10-05 names, in the caller's order. */
  readonly channelNames: readonly string[];
  readonly seconds: number;
  readonly sourceRateHz: number;
}

/** Scores on people who were left out of the fit. Scores are fractions from 0 to 1. */
export interface ReferenceEvidence {
  readonly people: number;
  readonly trials: number;
  /** Mean over people, each recentred on its own trials (`align: "batch"`). */
  readonly balancedAccuracy: number;
  readonly interval95: readonly [number, number];
  /** Range that is expected to contain 95 % of new people. */
  readonly onePerson95: readonly [number, number];
  /** One-sided 95 % bound over people that must clear `chance`. */
  readonly lowerBound: number;
  readonly chance: number;
  /** Quartiles of the people's own scores. */
  readonly quartiles: readonly [number, number, number];
  /** The same without recentring (`align: "none"`). */
  readonly withoutAlignment: number;
  /** The feature set that is read. */
  readonly set: string;
  /** Electrodes that were read, and those of the caller that the data set lacks. */
  readonly read: readonly string[];
  readonly notRead: readonly string[];
  /** Length of the trials that were read, seconds. */
  readonly seconds: number;
  /** Notes about approximations, in sentences. */
  readonly notes: readonly string[];
  /** Warnings before a model is created, in sentences. */
  readonly warnings: readonly string[];
  /** Source of the scores: the network with the card, and its montage. Absent: a fit on recordings. */
  readonly network?: { readonly id: string; readonly montage: string; readonly electrodes: readonly string[] };
}

/** A model without own trials. Plain data. */
export type NetworkFit = Pick<ReferenceFit, 'model' | 'pins' | 'evidence' | 'report'>;

/** Result of a reference fit for trials of one shape. Plain data. */
export interface ReferenceFit {
  /** Answers new people; its classes are those of the task, in their order. */
  readonly model: FittedModel;
  readonly pins: readonly string[];
  readonly prior: ReferencePrior;
  readonly evidence: ReferenceEvidence;
  /** The training report of the model. */
  readonly report: TrainingReport;
}
