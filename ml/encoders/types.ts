import type { SignalShape, Trials } from '../types.ts';
import type { Weights } from '../weights/types.ts';

/** Numbers that a graph of an encoder takes or gives, row-major. */
export interface GraphTensor {
  readonly dims: readonly number[];
  readonly data: Float32Array;
}

/** Runs a graph of one encoder on named inputs; resolves with its named outputs. */
export type RunGraph = (
  graph: string,
  inputs: Readonly<Record<string, GraphTensor>>,
) => Promise<Readonly<Record<string, GraphTensor>>>;

/** Weights that a graph is run with: the encoder, and the hash of the published file. */
export interface WeightsId {
  readonly id: string;
  readonly hash: string;
}

/** An encoder on weights, at a version of its code; absent: the current one. */
export interface EncoderId extends WeightsId {
  readonly version?: number;
}

/**
 * Where graphs are run: the sessions of this process, asked from whatever thread. `onRun` hears the seconds that a run
 * took by itself, without its wait for the runs of others; where it is not called the wait cannot be told apart.
 */
export type Encoders = (encoder: EncoderId, onRun?: (seconds: number) => void) => RunGraph;

/** What is known of trials besides themselves where an encoder reads them. */
export interface EncodeContext {
  /** Rows of each recording in the order in which it was recorded; null: nobody named them, or none is to be read. */
  readonly recordings: readonly Int32Array[] | null;
  /** What the trials of a fit, or its first batch, were read against; absent: these are the first. */
  readonly standard?: Float64Array | undefined;
}

/** What an encoder made of trials. */
export interface EncodedTrials {
  /** [trials × dimension] by the names of the sets. */
  readonly tables: Readonly<Record<string, Float64Array>>;
  /** What they were read against, and later trials of the fitted model are; absent: each by itself. */
  readonly standard?: Float64Array;
}

/** A pretrained encoder: what it makes of trials, as feature sets [trials × dimension] named `ID/HASH/SET`. */
export interface Encoder {
  readonly id: string;
  /** Of all that stands before and behind its graphs; changes whenever a number of a set would. */
  readonly version: number;
  /** It reads nothing above. */
  readonly highestHz: number;
  /** About how long it takes to read a trial on one core: the same for the same trials, whatever the machine does. */
  secondsOf(shape: SignalShape): number;
  /** Its graphs as ONNX models of published weights. */
  readonly graphs: Readonly<Record<string, (weights: Weights) => Uint8Array>>;
  /** Dimension of each of its sets. */
  readonly sets: Readonly<Record<string, (shape: SignalShape) => number>>;
  /** Whether it reads the 19 fixed sites of such trials, which `missing_channels` speaks of; absent: never. */
  readonly readsFixedSites?: (shape: SignalShape) => boolean;
  /** Of its sets those that `align: "none"` has no use for. */
  readonly together?: readonly string[];
  encode(trials: Trials, sets: readonly string[], context: EncodeContext, run: RunGraph): Promise<EncodedTrials>;
}
