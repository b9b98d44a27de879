/** Generated from the OpenAPI document, version 0.1.0, by `npm run client-types`. Do not edit. */

export interface CreateRequest {
  /** Trials × channels × samples: nested lists of finite numbers, or base64 of little-endian float32 with `shape`. */
  readonly x: readonly (readonly (readonly number[])[])[] | string;
  /** [trials, channels, samples]; required when `x` is base64. */
  readonly shape?: readonly number[] | null;
  /** The true sampling rate in Hz; a wrong one cannot be detected. */
  readonly sampling_rate_hz: number;
  /** The unit `x` is really in: uV, mV or V. The other values are refused with UNITS_REQUIRED. */
  readonly units: 'uV' | 'mV' | 'V' | 'unitless' | 'normalized' | 'unknown';
  /** One 10-20, 10-10 or 10-05 electrode name per row of `x`, in any order. */
  readonly channels: readonly string[];
  /**
   * Electrode positions in metres, one [x, y, z] per channel; they replace the template positions. A prediction without
   * them uses those of the fit.
   */
  readonly positions?: readonly (readonly number[])[] | null;
  /** Coordinate frame of `positions`. */
  readonly position_frame?: 'head' | 'mni' | null;
  /**
   * Grouping of trials, one entry per trial, for normalisation per recording: recentring in the fit, and with `align`
   * batch; without it, sessions group them.
   */
  readonly normalization_context?: {
    readonly dataset_id?: readonly (string | null)[] | null;
    readonly subject_uid?: readonly (string | null)[] | null;
    readonly session_id?: readonly (string | null)[] | null;
  } | null;
  /**
   * What the answers rest on and what the trials are, for the fit. A deferred fit takes them from the create too, not
   * from batches or /fit.
   */
  readonly parameters?: {
    /**
     * How likely the classes are beforehand in what the model answers: all alike (the default), or as often as among
     * the trials of the fit. Scores, the choice and the p-value are of balanced classes with either.
     */
    readonly priors?: 'balanced' | 'as_sent' | null;
    /**
     * How long each trial lasts before its cue, which is less than the whole trial; null or absent: not known. What
     * this part alone tells of the class is then reported under `controls`: it should be nothing.
     */
    readonly baseline_seconds?: number | null;
  } | null;
  /** Names the session of all trials of this request. */
  readonly session?: string | null;
  /**
   * Step between windows where a trial is longer than a method's window; default: no overlap. Methods that read 4 s at
   * a time average such windows, at least 0.5 s apart.
   */
  readonly stride_seconds?: number | null;
  /**
   * What a fixed 19-site method does with a missing site: nearest electrode within 60 mm, or not tried. In a
   * prediction, reject refuses a model of 19 sites that was fitted without one.
   */
  readonly missing_channels?: 'nearest' | 'reject' | null;
  /** One label per trial, in the order of `x`. */
  readonly labels: readonly string[];
  /** One session name per trial; whole sessions are then held out. */
  readonly sessions?: readonly string[] | null;
  /** What the task is and what each label means. */
  readonly description: string;
  /** Your own name for the model; renamable. */
  readonly name?: string | null;
  /** ISO 8601 date or date-time, in the future; without an offset it is read as UTC. */
  readonly expires_at?: string | null;
  /** Days until the model expires; instead of `expires_at`. */
  readonly expires_in_days?: number | null;
  /** Collect trials over several requests and fit later. */
  readonly defer_fit?: boolean | null;
  /** Estimate only: nothing is fitted or charged. */
  readonly dry_run?: boolean | null;
}

export interface ZeroShotRequest {
  readonly mode: 'zero_shot';
  /** What the task is and what each label means. */
  readonly description: string;
  /** Your names of the classes; without them those that the description names are returned. */
  readonly classes?: readonly string[] | null;
  /** One 10-20, 10-10 or 10-05 electrode name per row of `x`, in any order. */
  readonly channels: readonly string[];
  /** The true sampling rate in Hz; a wrong one cannot be detected. */
  readonly sampling_rate_hz: number;
  /**
   * Length of the trials that predictions will send, from the cue on. A task bounds it: the refusal names one that it
   * takes.
   */
  readonly trial_seconds: number;
  /** Estimate only: starts preparing, and shows evidence and mapping once it is ready. */
  readonly dry_run?: boolean | null;
  /**
   * The mapping the estimate returned, unchanged; in an estimate one of `alternatives`, if the words had several
   * meanings.
   */
  readonly reference_classes?: Readonly<Record<string, unknown>> | null;
  /** Your own name for the model; renamable. */
  readonly name?: string | null;
  /** ISO 8601 date or date-time, in the future; without an offset it is read as UTC. */
  readonly expires_at?: string | null;
  /** Days until the model expires; instead of `expires_at`. */
  readonly expires_in_days?: number | null;
}

export interface BatchRequest {
  /** Trials × channels × samples: nested lists of finite numbers, or base64 of little-endian float32 with `shape`. */
  readonly x: readonly (readonly (readonly number[])[])[] | string;
  /** [trials, channels, samples]; required when `x` is base64. */
  readonly shape?: readonly number[] | null;
  /** The true sampling rate in Hz; a wrong one cannot be detected. */
  readonly sampling_rate_hz: number;
  /** The unit `x` is really in: uV, mV or V. The other values are refused with UNITS_REQUIRED. */
  readonly units: 'uV' | 'mV' | 'V' | 'unitless' | 'normalized' | 'unknown';
  /** One 10-20, 10-10 or 10-05 electrode name per row of `x`, in any order. */
  readonly channels: readonly string[];
  /**
   * Electrode positions in metres, one [x, y, z] per channel; they replace the template positions. A prediction without
   * them uses those of the fit.
   */
  readonly positions?: readonly (readonly number[])[] | null;
  /** Coordinate frame of `positions`. */
  readonly position_frame?: 'head' | 'mni' | null;
  /**
   * Grouping of trials, one entry per trial, for normalisation per recording: recentring in the fit, and with `align`
   * batch; without it, sessions group them.
   */
  readonly normalization_context?: {
    readonly dataset_id?: readonly (string | null)[] | null;
    readonly subject_uid?: readonly (string | null)[] | null;
    readonly session_id?: readonly (string | null)[] | null;
  } | null;
  /** Takes none here: `{}`. Those of a model go with its create. */
  readonly parameters?: Readonly<Record<string, never>> | null;
  /** Names the session of all trials of this request. */
  readonly session?: string | null;
  /**
   * Step between windows where a trial is longer than a method's window; default: no overlap. Methods that read 4 s at
   * a time average such windows, at least 0.5 s apart.
   */
  readonly stride_seconds?: number | null;
  /**
   * What a fixed 19-site method does with a missing site: nearest electrode within 60 mm, or not tried. In a
   * prediction, reject refuses a model of 19 sites that was fitted without one.
   */
  readonly missing_channels?: 'nearest' | 'reject' | null;
  /** One label per trial, in the order of `x`. */
  readonly labels: readonly string[];
  /** One session name per trial; whole sessions are then held out. */
  readonly sessions?: readonly string[] | null;
}

export interface PredictRequest {
  /** Trials × channels × samples: nested lists of finite numbers, or base64 of little-endian float32 with `shape`. */
  readonly x: readonly (readonly (readonly number[])[])[] | string;
  /** [trials, channels, samples]; required when `x` is base64. */
  readonly shape?: readonly number[] | null;
  /** The true sampling rate in Hz; a wrong one cannot be detected. */
  readonly sampling_rate_hz: number;
  /** The unit `x` is really in: uV, mV or V. The other values are refused with UNITS_REQUIRED. */
  readonly units: 'uV' | 'mV' | 'V' | 'unitless' | 'normalized' | 'unknown';
  /** One 10-20, 10-10 or 10-05 electrode name per row of `x`, in any order. */
  readonly channels: readonly string[];
  /**
   * Electrode positions in metres, one [x, y, z] per channel; they replace the template positions. A prediction without
   * them uses those of the fit.
   */
  readonly positions?: readonly (readonly number[])[] | null;
  /** Coordinate frame of `positions`. */
  readonly position_frame?: 'head' | 'mni' | null;
  /**
   * Grouping of trials, one entry per trial, for normalisation per recording: recentring in the fit, and with `align`
   * batch; without it, sessions group them.
   */
  readonly normalization_context?: {
    readonly dataset_id?: readonly (string | null)[] | null;
    readonly subject_uid?: readonly (string | null)[] | null;
    readonly session_id?: readonly (string | null)[] | null;
  } | null;
  /** Takes none here: `{}`. Those of a model go with its create. */
  readonly parameters?: Readonly<Record<string, never>> | null;
  /** Names the session of all trials of this request. */
  readonly session?: string | null;
  /**
   * Step between windows where a trial is longer than a method's window; default: no overlap. Methods that read 4 s at
   * a time average such windows, at least 0.5 s apart.
   */
  readonly stride_seconds?: number | null;
  /**
   * What a fixed 19-site method does with a missing site: nearest electrode within 60 mm, or not tried. In a
   * prediction, reject refuses a model of 19 sites that was fitted without one.
   */
  readonly missing_channels?: 'nearest' | 'reject' | null;
  /**
   * `none`: each trial alone. `batch`: the trials sent, or those of each recording, are recentred together first, and
   * epochs of sleep are read with their neighbours, in the order sent.
   */
  readonly align?: 'none' | 'batch' | null;
}

export interface FitRequest {
  /**
   * Classes that the fit leaves out, with all their trials, such as a mistyped label. Default: none. A later fit of the
   * same model may leave out others.
   */
  readonly ignore_classes?: readonly string[] | null;
}

export interface PatchRequest {
  /** ISO 8601 date or date-time, in the future; without an offset it is read as UTC. */
  readonly expires_at?: string | null;
  readonly name?: string | null;
}

/** Effects of resampling and channel matching. */
export interface SignalReport {
  readonly sampling_rate_hz: number;
  readonly resampled_to_hz: number;
  readonly trials: number;
  readonly channels: number;
  readonly samples_per_trial: number;
  readonly seconds_per_trial: number;
  readonly units: string;
  readonly renamed_channels: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
}

/** Something to mend, or to know, before the create. */
export interface Finding {
  /** What was looked at. */
  readonly check: string;
  readonly message: string;
  /** Fields to merge into the request to fix the problem; null if no change does. */
  readonly change: Readonly<Record<string, unknown>> | null;
  /** Channels and trials to leave out of `x`, and of the lists beside it, that mend it. */
  readonly remove: {
    readonly channels: readonly string[];
    readonly trials: readonly number[];
  } | null;
}

/** Evidence measured on held-out trials of the caller; present once fitted. */
export interface TrainingReport {
  /** Validation score of the winning method: mean recall over the classes, on held-out trials. */
  readonly balanced_accuracy: number;
  /** Score of guessing: one divided by the number of classes. */
  readonly chance: number;
  /**
   * The score without the luck of choosing the best of many methods. Null if no folds can separate the classes from
   * drift (a class in one block, sessions of one class each); `warnings` then says why.
   */
  readonly corrected: {
    readonly balanced_accuracy: number | null;
    /** 95 % interval: [lower, upper]; null if the data do not allow one. */
    readonly interval_95: readonly (number | null)[];
    /** Bootstrap samples drawn. */
    readonly resamples: number;
    /** What was drawn: whole sessions, or trials (those that overlap, or of one block, together). */
    readonly resampled: 'sessions' | 'trials';
    /** Whether the choice never saw the fold that it is scored on. */
    readonly nested: boolean;
    /**
     * Training trials per class, on average, of the models that the score is about. Absent, like `measured`, in older
     * reports.
     */
    readonly trials_per_class?: number;
    /** The score of models with fewer trials, if it was extrapolated to all trials; else null. */
    readonly measured?: {
      readonly balanced_accuracy: number | null;
      readonly trials_per_class: number;
    } | null;
    readonly explanation: string;
  } | null;
  /** 95 % interval: [lower, upper]; null if the data do not allow one. */
  readonly interval_95: readonly (number | null)[];
  /** How likely labels without any meaning reach the score; null: not known. */
  readonly p_value: number | null;
  /** Permutations of the labels behind `p_value`. */
  readonly permutations: number;
  /** Id of the winning method. */
  readonly method: string;
  readonly method_version: string;
  readonly method_title: string;
  /** Why this method was chosen, in words. */
  readonly choice: string;
  /** Members of an average, each with the temperature that divides its scores before averaging. */
  readonly averaged?: readonly ({
    readonly id: string;
    readonly version: string;
    readonly title: string;
    readonly temperature: number;
  })[];
  /**
   * Members of the pool, which is a candidate too (`pool` among `methods`): the best single method and the five of
   * least log-loss, whose calibrated probabilities are averaged by weight. Null with one method only.
   */
  readonly pool?: readonly ({
    readonly id: string;
    readonly version: string;
    readonly title: string;
    readonly weight: number;
    readonly temperature: number;
    /** Members of an average, each with the temperature that divides its scores before averaging. */
    readonly averaged?: readonly ({
      readonly id: string;
      readonly version: string;
      readonly title: string;
      readonly temperature: number;
    })[];
  })[] | null;
  /** The score with `align: "batch"`. */
  readonly balanced_accuracy_aligned?: number | null;
  readonly validation: {
    /**
     * What was held out. `sessions`: whole sessions. `stratified`: trials of each class. `within_sessions`: trials of
     * each class within each session. `blocks`: whole blocks of labels. `people`: groups of people (zero-shot).
     */
    readonly kind: 'sessions' | 'stratified' | 'within_sessions' | 'blocks' | 'people';
    readonly description: string;
    readonly folds: number;
    readonly repeats: number;
    /** Sessions kept out together, per fold. */
    readonly held_out_sessions: readonly (readonly string[])[];
  };
  /** Trials that the fit read. */
  readonly trials: number;
  /** Number of trials with a signal that were sent, if the fit read a stratified sample of them; else absent. */
  readonly trials_sent?: number;
  readonly trials_per_class: Readonly<Record<string, number>>;
  readonly confusion_matrix: {
    readonly labels: readonly string[];
    /** Row: the label sent; column: the label predicted; means over the repeats. */
    readonly counts: readonly (readonly number[])[];
  };
  /** Share of the trials of each class that were predicted so. */
  readonly recall: Readonly<Record<string, number | null>>;
  readonly log_loss: number | null;
  /** How far probabilities are from how often they are right. */
  readonly calibration_error: number | null;
  /**
   * A reliability diagram: held-out trials by rising probability of the predicted class, and how often that was right.
   * Absent in reports of models fitted before it was measured.
   */
  readonly calibration_bins?: readonly ({
    readonly lowest_probability: number;
    readonly mean_probability: number;
    readonly highest_probability: number;
    /** Share of these trials that were predicted rightly, classes alike. */
    readonly accuracy: number;
    /** Mean over the repeats; all bins together hold every trial. */
    readonly trials: number;
    /** What the bin weighs in `calibration_error`; all bins together 1. */
    readonly weight: number;
  })[];
  /** What the probabilities rest on before a trial is looked at. */
  readonly priors?: {
    readonly kind: 'balanced' | 'as_sent';
    /** How likely each class is taken to be beforehand. */
    readonly classes: Readonly<Record<string, number>>;
    /** Share of each class in all trials sent. */
    readonly sent: Readonly<Record<string, number>>;
    /** Fraction of the held-out trials with the correct label. */
    readonly accuracy: number | null;
    /** The same, balanced over the classes. */
    readonly balanced_accuracy: number | null;
    readonly explanation: string;
  };
  /** What scores are divided by before they become probabilities. */
  readonly temperature: number | null;
  /** Score of the winning method, or of the best one of a pool, on part of the trials. */
  readonly learning_curve: readonly ({
    readonly trials_per_class: number;
    readonly balanced_accuracy: number | null;
  })[];
  /**
   * The expected gain from more trials. Null if the curve does not show it, or if the score could be chance. Reports of
   * models fitted earlier have no intervals.
   */
  readonly forecast: {
    readonly balanced_accuracy_with_twice_the_trials: number | null;
    /** 95 % interval: [lower, upper]; null if the data do not allow one. */
    readonly interval_95_with_twice_the_trials?: readonly (number | null)[];
    /** More trials per class that are expected to add `gain`; null: none are. */
    readonly more_trials_per_class: number | null;
    /** 95 % interval: [lower, upper]; null if the data do not allow one. */
    readonly interval_95_more_trials_per_class?: readonly (number | null)[];
    readonly gain: number;
    readonly text: string;
  } | null;
  /**
   * What could be read without the brain: eyes, muscles, line noise, the time before the cue, on the same folds. All
   * but line noise are read as covariances if the chosen method reads covariances. `without` is the score of the chosen
   * method without this part. `warnings` says where that explains the score. Absent in reports of models fitted
   * earlier.
   */
  readonly controls?: readonly ({
    readonly id: 'eyes' | 'muscles' | 'mains' | 'baseline';
    readonly title: string;
    readonly balanced_accuracy: number | null;
    /** 95 % interval: [lower, upper]; null if the data do not allow one. */
    readonly interval_95: readonly (number | null)[] | null;
    /** How likely labels without any meaning reach this; null: not known. */
    readonly p_value: number | null;
    /**
     * What the chosen method still reaches without everything that this part of the signal predicts of its scores. Null
     * if it was not measured. Absent in reports of models fitted earlier.
     */
    readonly without?: {
      readonly balanced_accuracy: number;
      /** 95 % interval: [lower, upper]; null if the data do not allow one. */
      readonly interval_95: readonly (number | null)[];
    } | null;
    readonly status: 'scored' | 'failed' | 'not_measured';
    /** Why it was not measured; null if it was. */
    readonly reason: string | null;
  })[];
  /**
   * Activation patterns over the channels (Haufe et al. 2014) of the winner, or of the best method of a pool, fitted on
   * all trials. Null if the method is not linear in channel space; `patterns_reason` then says why.
   */
  readonly patterns?: {
    /** Whose they are: the chosen method, or the best single one of a pool. */
    readonly method: {
      readonly id: string;
      readonly version: string;
      readonly title: string;
    };
    readonly source: string;
    /** Unit of the channel values; pattern values are relative. */
    readonly unit: string;
    readonly channels: readonly string[];
    readonly components: readonly ({
      /** A frequency band, a window in time, or a spatial filter. */
      readonly name: string;
      /** The class whose score rises with it; null for a filter. */
      readonly class: string | null;
      /** What each class weighs the log-variance behind a spatial filter; null for others. */
      readonly class_weights: Readonly<Record<string, number>> | null;
      /** One per channel; the largest of a filter, or of a class over all its parts, is ±1. */
      readonly values: readonly number[];
    })[];
  } | null;
  readonly patterns_reason?: string | null;
  /** Every method: its score, or why it failed, was dropped after the first fold, or was not tried. */
  readonly methods: readonly ({
    readonly id: string;
    readonly version: string;
    readonly title: string;
    readonly status: 'scored';
    readonly seconds: number;
    readonly balanced_accuracy: number;
    /** 95 % interval: [lower, upper]; null if the data do not allow one. */
    readonly interval_95: readonly (number | null)[];
    readonly fold_scores: readonly (number | null)[];
    /** Standard deviation of the scores of the folds. */
    readonly fold_spread: number | null;
    readonly log_loss: number | null;
    /**
     * What is known of the method before any trial of this request, from other people with about as many trials and
     * channels. It decides only between methods that the trials cannot tell apart; `balanced_accuracy` and `log_loss`
     * are of held-out trials alone. Absent as `expected_log_loss_behind`.
     */
    readonly prior?: {
      /** Mean log-loss above that of the candidate with the best prior, nats. */
      readonly log_loss_behind: number | null;
      /** Standard deviation for one person, nats. */
      readonly sd: number | null;
      /** People on whom it was measured; 0: published results of the method. */
      readonly people: number;
    };
    /**
     * Expected log-loss above that of the chosen method, or of the best member of the chosen pool. The difference in
     * the trials and that of the priors are weighted by the inverse of their variances. `null`: the trials show that
     * the method is worse, so its prior does not count. Absent for the pool and in reports of models fitted before
     * priors were measured.
     */
    readonly expected_log_loss_behind?: number | null;
    readonly temperature: number | null;
    /** The score with `align: "batch"`. */
    readonly balanced_accuracy_aligned?: number | null;
    readonly reason: null;
  } | {
    readonly id: string;
    readonly version: string;
    readonly title: string;
    readonly status: 'failed';
    readonly seconds: number;
    readonly reason: string | null;
  } | {
    readonly id: string;
    readonly version: string;
    readonly title: string;
    readonly status: 'dropped';
    readonly seconds: number;
    /** Of the first fold, as `log_loss`. */
    readonly balanced_accuracy: number | null;
    readonly log_loss: number | null;
    /** How far it lay behind on the first fold, and the bound. */
    readonly reason: string;
  } | {
    readonly id: string;
    readonly title: string;
    readonly status: 'skipped';
    /** What the method needs that the data does not have. */
    readonly reason: string;
  })[];
  /**
   * Of a zero-shot model: the evidence over people. `balanced_accuracy` is the mean over people with `align: "batch"`,
   * `interval_95` an interval over people.
   */
  readonly reference?: {
    /** People whose recordings it was fitted on. It was measured on each of them, left out in turn. */
    readonly people: number;
    /** One-sided 95 % bound over people. */
    readonly lower_bound_95: number;
    /** In which 95 % of single people to come are expected. */
    readonly one_person_95: readonly number[];
    /** Of the scores of the people. */
    readonly quartiles: readonly number[];
    /** The score with `align: "none"`. */
    readonly balanced_accuracy_unaligned: number;
    /**
     * With `align: "none"`, as the next two; those of the report are with `align: "batch"`. Absent in reports of models
     * fitted before it was measured.
     */
    readonly log_loss_unaligned?: number | null;
    readonly calibration_error_unaligned?: number | null;
    readonly temperature_unaligned?: number | null;
    /** Channels that are read. */
    readonly electrodes: readonly string[];
    /** Channels that the recordings do not have. */
    readonly channels_not_read: readonly string[];
    /** Length in which the recordings were read. */
    readonly seconds: number;
    /** What was approximated. */
    readonly notes: readonly string[];
  };
  /** The network of other people that was tried or that answers; absent: none. */
  readonly network?: {
    readonly id: string;
    /** Path of its model card in this service. */
    readonly card: string;
  };
  /**
   * Sentences on the data and on the scores: trials that overlap, are sent twice or flat, labels in blocks, offsets,
   * what eyes or muscles explain.
   */
  readonly warnings: readonly string[];
}

/** The scores of the training report; GET of one model has all. */
export interface TrainingReportSummary {
  /** Validation score of the winning method: mean recall over the classes, on held-out trials. */
  readonly balanced_accuracy: number;
  /** Score of guessing: one divided by the number of classes. */
  readonly chance: number;
  /**
   * The score without the luck of choosing the best of many methods. Null if no folds can separate the classes from
   * drift (a class in one block, sessions of one class each); `warnings` then says why.
   */
  readonly corrected: {
    readonly balanced_accuracy: number | null;
    /** 95 % interval: [lower, upper]; null if the data do not allow one. */
    readonly interval_95: readonly (number | null)[];
    /** Bootstrap samples drawn. */
    readonly resamples: number;
    /** What was drawn: whole sessions, or trials (those that overlap, or of one block, together). */
    readonly resampled: 'sessions' | 'trials';
    /** Whether the choice never saw the fold that it is scored on. */
    readonly nested: boolean;
    /**
     * Training trials per class, on average, of the models that the score is about. Absent, like `measured`, in older
     * reports.
     */
    readonly trials_per_class?: number;
    /** The score of models with fewer trials, if it was extrapolated to all trials; else null. */
    readonly measured?: {
      readonly balanced_accuracy: number | null;
      readonly trials_per_class: number;
    } | null;
    readonly explanation: string;
  } | null;
}

export interface TaskModel {
  readonly object: 'task_model';
  /** `clf_` and 32 hexadecimal digits. */
  readonly id: string;
  readonly status: 'collecting' | 'active' | 'expired' | 'deleted';
  /** Fitted on reference recordings, without your own trials. Absent if the model was fitted on your trials. */
  readonly mode?: 'zero_shot';
  /** Created with a test key: free, deleted after 30 days. */
  readonly test: boolean;
  readonly name: string | null;
  readonly description: string;
  readonly task_kind: 'erp' | 'motor' | 'sleep' | 'other';
  readonly classes: readonly string[];
  readonly channels: readonly string[];
  readonly signal: SignalReport;
  /** The winning method, pinned to the version it was selected in. */
  readonly method: {
    readonly id: string;
    readonly version: string;
    readonly title: string;
  } | null;
  readonly training_report?: TrainingReport;
  readonly evidence?: ReferenceEvidence;
  /** For each class what the participant does in the reference recordings. Review it. */
  readonly explanation?: Readonly<Record<string, string>>;
  /** The class of the reference recordings for each class of the model. Send it back unchanged in the create. */
  readonly reference_classes?: Readonly<Record<string, {
      readonly data_set: string;
      readonly version: string;
      readonly task: string;
      readonly class: string;
    }>>;
  readonly created: number;
  readonly expires_at: number | null;
  /** A model of a test key is deleted at this time. */
  readonly test_ends_at: number | null;
  readonly paid_through: number | null;
  readonly next_charge_at: number | null;
  /** A collecting model is deleted at this time unless it is fitted. */
  readonly fit_before: number | null;
  /** What this request cost. */
  readonly cost?: {
    readonly usd: string;
    readonly windows: number;
  };
  /** How an ambiguous change was read. */
  readonly warnings?: readonly string[];
}

/** A task model with the scores of its training report. */
export interface TaskModelRow {
  readonly object: 'task_model';
  /** `clf_` and 32 hexadecimal digits. */
  readonly id: string;
  readonly status: 'collecting' | 'active' | 'expired' | 'deleted';
  /** Fitted on reference recordings, without your own trials. Absent if the model was fitted on your trials. */
  readonly mode?: 'zero_shot';
  /** Created with a test key: free, deleted after 30 days. */
  readonly test: boolean;
  readonly name: string | null;
  readonly description: string;
  readonly task_kind: 'erp' | 'motor' | 'sleep' | 'other';
  readonly classes: readonly string[];
  readonly channels: readonly string[];
  readonly signal: SignalReport;
  /** The winning method, pinned to the version it was selected in. */
  readonly method: {
    readonly id: string;
    readonly version: string;
    readonly title: string;
  } | null;
  readonly training_report?: TrainingReportSummary;
  readonly evidence?: ReferenceEvidence;
  /** For each class what the participant does in the reference recordings. Review it. */
  readonly explanation?: Readonly<Record<string, string>>;
  /** The class of the reference recordings for each class of the model. Send it back unchanged in the create. */
  readonly reference_classes?: Readonly<Record<string, {
      readonly data_set: string;
      readonly version: string;
      readonly task: string;
      readonly class: string;
    }>>;
  readonly created: number;
  readonly expires_at: number | null;
  /** A model of a test key is deleted at this time. */
  readonly test_ends_at: number | null;
  readonly paid_through: number | null;
  readonly next_charge_at: number | null;
  /** A collecting model is deleted at this time unless it is fitted. */
  readonly fit_before: number | null;
  /** What this request cost. */
  readonly cost?: {
    readonly usd: string;
    readonly windows: number;
  };
  /** How an ambiguous change was read. */
  readonly warnings?: readonly string[];
}

/** The task model, with the counts of all batches so far. */
export interface TaskModelBatch {
  readonly object: 'task_model';
  /** `clf_` and 32 hexadecimal digits. */
  readonly id: string;
  readonly status: 'collecting' | 'active' | 'expired' | 'deleted';
  /** Fitted on reference recordings, without your own trials. Absent if the model was fitted on your trials. */
  readonly mode?: 'zero_shot';
  /** Created with a test key: free, deleted after 30 days. */
  readonly test: boolean;
  readonly name: string | null;
  readonly description: string;
  readonly task_kind: 'erp' | 'motor' | 'sleep' | 'other';
  readonly classes: readonly string[];
  readonly channels: readonly string[];
  readonly signal: SignalReport;
  /** The winning method, pinned to the version it was selected in. */
  readonly method: {
    readonly id: string;
    readonly version: string;
    readonly title: string;
  } | null;
  readonly training_report?: TrainingReport;
  readonly evidence?: ReferenceEvidence;
  /** For each class what the participant does in the reference recordings. Review it. */
  readonly explanation?: Readonly<Record<string, string>>;
  /** The class of the reference recordings for each class of the model. Send it back unchanged in the create. */
  readonly reference_classes?: Readonly<Record<string, {
      readonly data_set: string;
      readonly version: string;
      readonly task: string;
      readonly class: string;
    }>>;
  readonly created: number;
  readonly expires_at: number | null;
  /** A model of a test key is deleted at this time. */
  readonly test_ends_at: number | null;
  readonly paid_through: number | null;
  readonly next_charge_at: number | null;
  /** A collecting model is deleted at this time unless it is fitted. */
  readonly fit_before: number | null;
  /** What this request cost. */
  readonly cost?: {
    readonly usd: string;
    readonly windows: number;
  };
  /** How an ambiguous change was read. */
  readonly warnings?: readonly string[];
  readonly trials_per_class: Readonly<Record<string, number>>;
  readonly batches: number;
}

export interface Estimate {
  readonly object: 'task_model.estimate';
  readonly category: string;
  readonly task_kind: 'erp' | 'motor' | 'sleep' | 'other';
  readonly classes: readonly string[];
  readonly trials_per_class: Readonly<Record<string, number>>;
  /** What `parameters` chose. */
  readonly priors: 'balanced' | 'as_sent';
  readonly create_usd: string;
  readonly hosting_usd_per_month: string;
  /** What this batch costs at once with `defer_fit`; otherwise 0.00. */
  readonly batch_usd: string;
  readonly windows: number;
  /**
   * Estimated processor seconds of the fit, without waiting for its turn. Where it is long, create with `Prefer:
   * respond-async`.
   */
  readonly fit_seconds: number;
  readonly candidates: readonly ({
    readonly id: string;
    readonly version: string;
    readonly title: string;
  })[];
  readonly skipped: readonly ({
    readonly id: string;
    readonly title: string;
    readonly reason: string;
  })[];
  readonly signal: SignalReport;
  readonly prior: Prior;
  /**
   * All that a create would warn of, each with the change of the request that mends it, where one does. The page
   * /docs/warnings explains each.
   */
  readonly findings: readonly Finding[];
  /** The messages of `findings`. */
  readonly warnings: readonly string[];
}

export interface ZeroShotEstimate {
  readonly object: 'task_model.estimate';
  readonly mode: 'zero_shot';
  /** false: send the same estimate again until it is true, then create. */
  readonly ready: boolean;
  readonly category: string;
  readonly task_kind: 'erp' | 'motor' | 'sleep' | 'other';
  readonly classes: readonly string[];
  readonly create_usd: string;
  readonly hosting_usd_per_month: string;
  /**
   * Estimated processor seconds of the fit, without waiting for its turn. Where it is long, create with `Prefer:
   * respond-async`.
   */
  readonly fit_seconds: number;
  /** Only while it is not ready, instead of `evidence`. */
  readonly preparation?: Preparation;
  readonly evidence?: ReferenceEvidence;
  /** For each class what the participant does in the reference recordings. Review it. */
  readonly explanation: Readonly<Record<string, string>>;
  /** The class of the reference recordings for each class of the model. Send it back unchanged in the create. */
  readonly reference_classes: Readonly<Record<string, {
      readonly data_set: string;
      readonly version: string;
      readonly task: string;
      readonly class: string;
    }>>;
  readonly warnings: readonly string[];
}

/** How far the reference recordings are prepared. */
export interface Preparation {
  /** `failed`: the same request tries again where `retryable`; `required`: an operator of the service must act. */
  readonly status: 'queued' | 'running' | 'failed' | 'required';
  readonly retryable: boolean;
  /** Until it is ready; 0 if it will not become ready by itself. */
  readonly estimated_seconds: number;
  /** Why it failed, or what is required. */
  readonly reason: string | null;
  /** Recordings prepared and held so far; null before anything is known. */
  readonly progress: {
    readonly people: {
      readonly done: number;
      readonly total: number;
    };
    readonly files: {
      readonly done: number;
      readonly total: number;
    };
    readonly bytes: {
      readonly done: number;
      readonly total: number;
    };
  } | null;
}

/** Whether the fit also learns from recordings of other people in the same task. */
export interface Prior {
  /**
   * `ready`: candidates that learn from the recordings are tried. Otherwise a create does not use them and never waits;
   * this estimate has started the preparation if one is due.
   */
  readonly status:
    | 'unmatched'
    | 'ambiguous'
    | 'queued'
    | 'running'
    | 'failed'
    | 'required'
    | 'ready'
    | 'unusable';
  readonly explanation: string;
  /** The class of the reference recordings for each class of the model. Send it back unchanged in the create. */
  readonly reference_classes: Readonly<Record<string, {
      readonly data_set: string;
      readonly version: string;
      readonly task: string;
      readonly class: string;
    }>> | null;
  readonly preparation: Preparation | null;
  readonly evidence: ReferenceEvidence | null;
}

/** The score on people who were left out of the fit. */
export interface ReferenceEvidence {
  readonly kind: 'leave_people_out';
  /** People who were left out in turn; every score is of people not fitted on. */
  readonly people: number;
  readonly trials: number;
  /** Mean over people, each recentred as with `align: "batch"`. */
  readonly balanced_accuracy: number;
  /** Of the mean over people. */
  readonly interval_95: readonly number[];
  /** In which 95 % of single people to come are expected. */
  readonly one_person_95: readonly number[];
  /** One-sided 95 % bound over people; it lies above `chance`. */
  readonly lower_bound_95: number;
  readonly chance: number;
  /** How people differ: quartiles of their own scores. */
  readonly quartiles: readonly number[];
  /** The same without recentring: `align: "none"`. */
  readonly balanced_accuracy_unaligned: number;
  readonly electrodes_read: readonly string[];
  /** Channels of yours that are not read. */
  readonly electrodes_not_read: readonly string[];
  /** Length of the trials that the evidence is of. */
  readonly trial_seconds: number;
  /**
   * The network that answers without preparation, and the montage of its card that it reads: of those whose electrodes
   * are all among yours the one with the best score. Null where a fit on the recordings answers.
   */
  readonly network: {
    readonly id: string;
    readonly montage: string;
    readonly electrodes: readonly string[];
    /** Path of its model card in this service. */
    readonly card: string;
  } | null;
  readonly data_set: {
    readonly id: string;
    readonly version: string;
    readonly name: string;
    readonly licence: {
      readonly name: string;
      readonly url: string;
    };
    /** What to cite when results of the model are published. */
    readonly citations: readonly string[];
    readonly home: string;
  };
  /** People of the data set whose recordings the service does not have. */
  readonly people_missing: number;
  /** People among `people` who are none of the published data set. */
  readonly people_unpublished: number;
  /** What was approximated. */
  readonly notes: readonly string[];
}

export interface TaskModelList {
  readonly object: 'list';
  readonly data: readonly TaskModelRow[];
  /** Send as `before` for the next page; null on the last one. */
  readonly next_before: string | null;
}

export interface PredictionList {
  readonly object: 'list';
  readonly data: readonly ({
    readonly object: 'classification';
    readonly index: number;
    readonly label: string;
    readonly probabilities: Readonly<Record<string, number>>;
  })[];
  /** `clf_` and 32 hexadecimal digits. */
  readonly task_model: string;
  readonly method: {
    readonly id: string;
    readonly version: string;
    readonly title: string;
  };
  readonly align: 'none' | 'batch';
  /** How likely the probabilities take each class to be before a trial is looked at. */
  readonly priors: {
    readonly kind: 'balanced' | 'as_sent';
    readonly classes: Readonly<Record<string, number>>;
  };
  readonly signal: SignalReport;
  /** What this request cost. */
  readonly cost: {
    readonly usd: string;
    readonly windows: number;
  };
}

export interface Usage {
  readonly object: 'usage';
  readonly today: {
    readonly usd: string;
    readonly windows: string;
    readonly requests: string;
    readonly refused: string;
    /** Refused requests by their error code. */
    readonly refused_by_code: Readonly<Record<string, string>>;
    readonly estimates: string;
    readonly task_model_create_usd?: string;
    readonly task_model_hosting_usd?: string;
  } | null;
  readonly month: {
    readonly usd: string;
    readonly windows: string;
    readonly requests: string;
    readonly refused: string;
    /** Refused requests by their error code. */
    readonly refused_by_code: Readonly<Record<string, string>>;
    readonly estimates: string;
    readonly task_model_create_usd?: string;
    readonly task_model_hosting_usd?: string;
  } | null;
  readonly limits: {
    readonly rps: string;
    readonly burst: string;
    readonly concurrency: string;
    readonly daily_estimates: string;
    readonly daily_cap_usd: string | null;
    readonly monthly_cap_usd: string | null;
    readonly daily_windows: string | null;
    readonly monthly_windows: string | null;
    /** What the account may store, and use without paying. */
    readonly quotas: {
      readonly daily_test_creates: QuotaUse;
      readonly daily_test_windows: QuotaUse;
      readonly collecting_models: QuotaUse;
      readonly test_models: QuotaUse;
      readonly live_models: QuotaUse;
      readonly running_fits: QuotaUse;
      readonly batch_bytes: QuotaUse;
      readonly stored_answers: QuotaUse;
      readonly stored_answer_bytes: QuotaUse;
    };
  };
}

/** How much of a quota is used. Deletion frees a stored amount at once. */
export interface QuotaUse {
  readonly used: string;
  /** Null: no limit. */
  readonly limit: string | null;
  /** Of a daily allowance: when it begins anew. Null: an amount. */
  readonly resets_at: number | null;
  /** Of a stored amount: when the next part of it expires by itself. Null: nothing expires. */
  readonly next_expiry_at: number | null;
}

export interface Health {
  readonly status: 'ok';
}

export interface ReadinessCheck {
  readonly status: 'ok' | 'failing';
  /** Why it fails, in words. */
  readonly reason?: string;
}

export interface Readiness {
  readonly status: 'ready' | 'starting' | 'unavailable';
  readonly checks: {
    readonly database: ReadinessCheck;
    readonly temporal: ReadinessCheck;
    readonly store: ReadinessCheck;
    readonly threads: ReadinessCheck;
  };
}

export interface PretrainedModel {
  readonly id: string;
  readonly title: string;
  /**
   * `ready`: its weights are installed here. It is tried if the trials permit it and every worker has the weights.
   * `not_installed`: the machine that answers does not have its weights. `off`: the operator or the catalogue has
   * switched it off. `unusable`: no hash of its weights is known. `forbidden`: its licence permits no hosted use.
   */
  readonly status: 'ready' | 'not_installed' | 'off' | 'unusable' | 'forbidden';
  /** Why it is not tried, in words; null where it is. */
  readonly reason: string | null;
  /** Path of its model card in this service; null where it has none. */
  readonly card: string | null;
}

export interface Status {
  readonly object: 'status';
  readonly serving: boolean;
  readonly message: string;
  readonly version: string;
  /**
   * Pretrained models that may compete with the classical methods in a create. Where none is `ready`, the classical
   * methods alone do.
   */
  readonly pretrained_models: readonly PretrainedModel[];
}

/**
 * Fields to merge into the body of the request, or into its query or headers where `field` names one of those. Null
 * removes a field.
 */
export type Change = Readonly<Record<string, unknown>>;

export interface ErrorObject {
  readonly type:
    | 'authentication_error'
    | 'billing_error'
    | 'permission_error'
    | 'not_found_error'
    | 'conflict_error'
    | 'invalid_request_error'
    | 'rate_limit_error'
    | 'api_error'
    | 'service_unavailable_error';
  readonly code:
    | 'UNAUTHENTICATED'
    | 'KEY_REVOKED'
    | 'KEY_EXPIRED'
    | 'INSUFFICIENT_CREDIT'
    | 'BUDGET_EXCEEDED'
    | 'SCOPE_MISSING'
    | 'TENANT_SUSPENDED'
    | 'IP_NOT_ALLOWED'
    | 'CLASSIFIER_NOT_FOUND'
    | 'NOT_FOUND'
    | 'CONFLICT'
    | 'PAYLOAD_TOO_LARGE'
    | 'INVALID_REQUEST'
    | 'TOO_FEW_TRIALS'
    | 'CLASSIFIER_FIT_FAILED'
    | 'UNITS_REQUIRED'
    | 'IDEMPOTENCY_KEY_REUSED'
    | 'TASK_UNSUPPORTED'
    | 'NO_REFERENCE_DATA'
    | 'RATE_LIMITED'
    | 'CONCURRENCY_LIMITED'
    | 'USAGE_CAP_EXCEEDED'
    | 'INTERNAL'
    | 'BACKEND_FAILURE'
    | 'POOL_UNAVAILABLE'
    | 'POOL_SATURATED'
    | 'SERVING_DISABLED'
    | 'BILLING_UNAVAILABLE';
  readonly message: string;
  /** Part of the request at fault; empty where no part is. */
  readonly field: string;
  /**
   * Fixes of the request, most useful first. Sending the first makes the request pass and mean the same; where that is
   * not sure, there is none, and `message` says what to do. Where a zero-shot task is not clear, or has no reference
   * recordings, they are choices: what it may mean, or the nearest tasks that there are.
   */
  readonly alternatives: readonly Change[];
  readonly details: {
    readonly request_id: string;
    /** Every failing field, at most 200 of them: always with INVALID_REQUEST. */
    readonly errors?: readonly ({
      readonly field: string;
      readonly message: string;
      readonly alternatives?: readonly Change[];
    })[];
    /** Failing fields that are not listed. */
    readonly errors_left_out?: number;
    readonly status?: 'expired' | 'deleted';
    readonly [name: string]: unknown;
  };
}

export interface TaskModelPreparing {
  readonly object: 'task_model.preparing';
  readonly preparation: Preparation;
}

/** A create or fit as a job, readable for 30 days after its end. */
export interface Job {
  readonly object: 'job';
  /** `job_` and 32 hexadecimal digits. */
  readonly id: string;
  readonly operation: 'create' | 'fit';
  readonly status: 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';
  /** Requested with a test key. */
  readonly test: boolean;
  /** Id of the model, which exists once a create has succeeded. */
  readonly task_model_id: string;
  readonly created: number;
  readonly finished: number | null;
  /** Estimated processor seconds of the fit, without waiting for its turn. */
  readonly fit_seconds: number;
  readonly progress: {
    readonly candidates_scored: number;
    /** Methods that were begun so far. */
    readonly candidates: readonly ({
      readonly method: string;
      readonly title: string;
      readonly status: 'running' | 'scored' | 'failed' | 'dropped';
      readonly balanced_accuracy: number | null;
    })[];
  };
  /** Once it has succeeded: what the request would have answered. */
  readonly task_model: TaskModel | null;
  /** Once it has failed or was cancelled: the error of the request. */
  readonly error: ErrorObject | null;
}

export type CreateRequestOrZeroShotRequest = CreateRequest | ZeroShotRequest;

export type EstimateOrZeroShotEstimate = Estimate | ZeroShotEstimate;

export type TaskModelPreparingOrJob = TaskModelPreparing | Job;
