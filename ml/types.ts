/** Types of values that cross the parts of `ml/`. Plain data: they cross threads and are stored unchanged. */

/** Trials after intake: microvolts, 256 Hz, canonical channel names. */
export interface Trials {
  /** [trials × channels × samples], row-major, microvolts. */
  readonly data: Float32Array;
  readonly trials: number;
  readonly channels: number;
  readonly samples: number;
  /** Rate of `data`; 256 after intake. */
  readonly rateHz: number;
  /** Rate that the caller declared. There is no signal above half of it. */
  readonly sourceRateHz: number;
  /** Canonical 10-05 names, one per row. */
  readonly channelNames: readonly string[];
  /** Electrode positions in metres, head frame, [channels × 3]; absent: the template's. */
  readonly positions?: readonly (readonly [number, number, number])[];
  /** Step between the windows of sets that read a long trial in windows; absent: no overlap. */
  readonly strideSeconds?: number;
  /** Version of the resampler that made `data`; absent: none did, the signal was made at `rateHz`. */
  readonly resampler?: number;
  /** Trials that a fit leaves out (see `deadTrials`); of a prediction, those of one value throughout. Absent: none. */
  readonly flat?: readonly number[];
  /** Standard deviation of the median channel as sent, microvolts; absent: not computed. */
  readonly scale?: number;
  /** Channels without signal in any trial; they are zero in `data`. Absent: none. */
  readonly silent?: readonly string[];
  /** Computed before resampling; absent: not computed. */
  readonly fingerprints?: Fingerprints;
}

/**
 * Hashes of short stretches of the signal, by which trials that share a stretch of the recording are recognised, and
 * sketches of whole trials, by which altered copies are recognised.
 */
export interface Fingerprints {
  /** Hashes of all trials, one trial after the other. No hash occurs twice in a trial. */
  readonly hashes: Uint32Array;
  /** Start of each fingerprint, in samples from its trial's start. */
  readonly at: Int32Array;
  /** Hashes before each trial, and of all. [trials + 1] */
  readonly first: Int32Array;
  /** Samples of a trial, at `rateHz`. */
  readonly samples: number;
  readonly rateHz: number;
  /** Sketch of each trial, and of the trial reversed in time. [trials × 2 × `sketchSize`] */
  readonly sketches: Int8Array;
  /**
   * Log powers of bands and correlations of the channels of each trial, by which changes of the recording are found.
   */
  readonly levels: Float32Array;
}

/** Something that a look at the data, or at their shape, has found. */
export interface Finding {
  /** Name of the check: `units`, `flat_channels`, … */
  readonly check: string;
  /** One sentence or more, with the numbers involved. */
  readonly message: string;
  /** Fields to merge into the request that mend it; null where none does. */
  readonly change: Readonly<Record<string, unknown>> | null;
  /** What to leave out of `x` and of the parallel lists; null if leaving out does not help. */
  readonly remove: { readonly channels: readonly string[]; readonly trials: readonly number[] } | null;
}

export type TaskKind = 'erp' | 'motor' | 'sleep' | 'other';

/** Everything that selection may read: no signal values (spec, "What the service does"). */
export interface DatasetShape {
  readonly kind: TaskKind;
  readonly channelNames: readonly string[];
  readonly sourceRateHz: number;
  /** Samples per trial at 256 Hz, and the trial's length. */
  readonly samples: number;
  readonly seconds: number;
  readonly trials: number;
  readonly classes: readonly string[];
  /** Trials of each class, in the order of `classes`. */
  readonly trialsPerClass: readonly number[];
  /** Distinct sessions; 1 when the caller named none. */
  readonly sessions: number;
  /** Class labels read as stimulation frequencies in Hz (SSVEP), where they do. */
  readonly frequenciesHz?: readonly number[];
  /** True when only stored features will exist (deferred fit): sets that would keep the signal cannot be used. */
  readonly storedFeaturesOnly: boolean;
  readonly missingChannels: 'nearest' | 'reject';
  /** As in `Trials`. */
  readonly positions?: readonly (readonly [number, number, number])[];
  /** Distinct recordings that `normalization_context` names; absent: the sessions. */
  readonly recordings?: number;
  /** Length of each trial before its cue, seconds; absent: not stated. */
  readonly baselineSeconds?: number;
  /**
   * Prior from other people's recordings of the same classes, or why there is none; absent: no reference task matches.
   */
  readonly reference?: ReferenceAvailability;
  /** Pretrained encoders by their ids; absent: none can be used. */
  readonly encoders?: EncoderAvailability;
  /** The task of the movement network that has these classes; absent: none has. */
  readonly network?: NetworkTask;
}

/**
 * A task that the movement network tells apart, and the class of positive log-odds: its place among the sorted names.
 */
export interface NetworkTask {
  readonly head: string;
  readonly positive: 0 | 1;
}

/** Availability of a pretrained encoder: the hash of its weights, or why it cannot be used. */
export type EncoderAvailability = Readonly<Record<string, { readonly hash: string } | { readonly reason: string }>>;

/** Availability of other people's recordings of the same classes: the feature set, or why they cannot be used. */
export type ReferenceAvailability =
  | Pick<ReferencePrior, 'set'>
  | {
      /** Continues "cannot be tried:", for example "the reference recordings are not prepared". */
      readonly reason: string;
    };

/** Prior learned from other people's recordings, for one set of electrodes and one length. Plain data. */
export interface ReferencePrior {
  readonly format: 1;
  /** The feature set that it reads. */
  readonly set: string;
  /** Canonical names of the electrodes that it reads, in the order of its numbers. */
  readonly electrodes: readonly string[];
  readonly classes: readonly string[];
  /**
   * Log-scores linear in the vectors of a person who was recentred on the own mean, calibrated on people who were left
   * out. [classes × dimension] and [classes]
   */
  readonly weights: Float64Array;
  readonly bias: Float64Array;
  /**
   * Expected distance of one person's weights from these: the inverse penalty C of the distance, times the mean squared
   * distance of the person's trials from their mean. It is the value with which the earlier trials of left-out people
   * predicted their later ones best.
   */
  readonly strength: number;
  readonly people: number;
  /** By which a caller who is one of the people is recognised; absent: nobody is. */
  readonly known?: ReferencePeople;
}

/** People from whom a prior was learned. */
export interface ReferencePeople {
  readonly names: readonly string[];
  /** Sketch of each trial [trials × values] (see `sketchesOf`), and its person: the place among the names. */
  readonly sketches: Int8Array;
  readonly of: Int32Array;
  /** Weights and bias without each group of people, as those of the prior, and the group of each person. */
  readonly without: readonly Pick<ReferencePrior, 'weights' | 'bias'>[];
  readonly group: Int32Array;
}

/** Shape of the signal that features were taken from. */
export interface SignalShape {
  readonly channels: number;
  readonly samples: number;
  readonly rateHz: number;
  readonly sourceRateHz: number;
  readonly channelNames: readonly string[];
  /** As in `Trials`. */
  readonly positions?: readonly (readonly [number, number, number])[];
  readonly strideSeconds?: number;
  readonly resampler?: number;
  /** As in `Trials`: no value of a feature depends on it. */
  readonly scale?: number;
  /** As in `Trials`: a model reads nothing in these channels, whatever they carry later. */
  readonly silent?: readonly string[];
}

/**
 * A per-trial, label-free quantity that methods are fitted on (design, decision 7).
 * `extract` returns [trials × dimension] in float64; row i depends on trial i alone.
 */
export interface FeatureSet {
  readonly id: string;
  readonly version: number;
  /** False where keeping the values would keep the signal: not stored for a deferred fit. */
  readonly storable: boolean;
  dimension(shape: SignalShape): number;
  extract(trials: Trials): Float64Array;
}

/** Features of a set of trials, by feature-set id. */
export interface Features {
  readonly trials: number;
  readonly shape: SignalShape;
  readonly sets: Readonly<Record<string, Float64Array>>;
  /** Version of the recipe of each family among the sets (the family of 'cov/8-32' is 'cov'). */
  readonly versions: Readonly<Record<string, number>>;
  /** The trials of each recording are read together, as `align: "batch"` says. */
  readonly aligned?: true;
  /** Reference values of the fit's trials by encoder; later batches use them too. */
  readonly standards?: Readonly<Record<string, Float64Array>>;
}

/** Description of features without their values. `sets`: number of values per trial, by set id. */
export interface FeatureForm extends Omit<Features, 'sets'> {
  readonly sets: Readonly<Record<string, number>>;
}
