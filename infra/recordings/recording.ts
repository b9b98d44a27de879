/** One recording of any format. */
export interface Recording {
  readonly channels: readonly RecordedChannel[];
  /** By onset: annotations of the file, and changes of its trigger channel with the value as text. */
  readonly annotations: readonly Annotation[];
  /** Length of the samples; pauses are not part of it. */
  readonly seconds: number;
  /** Pauses of the recorder, in order. A trial across one of them is not a trial. */
  readonly gaps: readonly Gap[];
  /** Seconds from 1970 on the recorder's clock; null: the file does not say. */
  readonly startsAt: number | null;
  /** Sentences about everything that the reader left out, mended or guessed. */
  readonly notices: readonly string[];
  /** Trials that the file itself holds instead of a continuous signal; their samples follow each other. */
  readonly epochs?: Epochs;
}

/** Trials of a file that was cut before it was saved. */
export interface Epochs {
  /** Samples of each trial. */
  readonly samples: number;
  /** Time of the first sample from the event, seconds. */
  readonly from: number;
}

export interface RecordedChannel {
  /** As written in the file. */
  readonly label: string;
  readonly rateHz: number;
  /** `uV`, `mV`, `V`, or the unit in the file. */
  readonly unit: string;
  /** Physical values in `unit`, or digital values if `isDigital`. */
  readonly values: Float32Array;
  /** The file gives no usable range to scale by. */
  readonly isDigital?: boolean;
}

export interface Annotation {
  /** Seconds of signal before it; pauses do not count. */
  readonly onset: number;
  /** Seconds; 0 if the file gives none. */
  readonly duration: number;
  readonly text: string;
}

export interface Gap {
  /** Seconds of signal before the pause. */
  readonly at: number;
  /** Length of the pause. */
  readonly seconds: number;
}

/** Answers of the person to questions that a file leaves open. */
export interface Said {
  /** Unit of channels without a unit that can be read: `uV`, `mV`, `V` or `nV`. */
  readonly unit?: string;
  /** Label in the file → electrode. */
  readonly names?: Readonly<Record<string, string>>;
  /** Name of a cap whose positions (A1, A2, …) are the labels. */
  readonly cap?: string;
  /** Encoding of the texts: `utf-8` or `latin-1`. */
  readonly encoding?: string;
  /** Sampling rate of files that do not say theirs, Hz. */
  readonly rateHz?: number;
  /** Label of the channel whose changes are the events. */
  readonly triggerChannel?: string;
}
