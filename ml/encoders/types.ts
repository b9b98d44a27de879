import type { SignalShape, Trials } from '../types.ts';
import type { Weights } from '../weights/types.ts';

/** Input or output of a graph, row-major. */
export interface GraphTensor {
  readonly dims: readonly number[];
  readonly data: Float32Array;
}

/** Runs a graph of one encoder on named inputs; resolves with its named outputs. */
export type RunGraph = (
  graph: string,
  inputs: Readonly<Record<string, GraphTensor>>,
) => Promise<Readonly<Record<string, GraphTensor>>>;

/** Weights of a graph: the encoder, and the hash of the published file. */
export interface WeightsId {
  readonly id: string;
  readonly hash: string;
}

/** An encoder with weights, at a version of its code; absent: the current one. */
export interface EncoderId extends WeightsId {
  readonly version?: number;
}

/**
 * Runs graphs in the sessions of this process, from any thread. `onRun` receives the seconds of a run without its wait
 * for other runs; if it is never called, the wait cannot be separated.
 */
export type Encoders = (encoder: EncoderId, onRun?: (seconds: number) => void) => RunGraph;

/** Facts about trials that an encoder needs. */
export interface EncodeContext {
  /** Rows of each recording in the order recorded; null: the caller named no recordings, or they are not to be used. */
  readonly recordings: readonly Int32Array[] | null;
  /** Reference values of the fit or of its first batch; absent: these trials are the first. */
  readonly standard?: Float64Array | undefined;
}

/** Output of an encoder. */
export interface EncodedTrials {
  /** [trials × dimension] by the names of the sets. */
  readonly tables: Readonly<Record<string, Float64Array>>;
  /** Reference values, also for later trials of the fitted model; absent: each trial by itself. */
  readonly standard?: Float64Array;
}

/** A pretrained encoder: computes feature sets [trials × dimension] named `ID/HASH/SET`. */
export interface Encoder {
  readonly id: string;
  /** Version of the code before and after its graphs; increases if any value of a set would change. */
  readonly version: number;
  /** Highest frequency that it reads. */
  readonly highestHz: number;
  /** Estimated seconds to read a trial on one core. Depends on the trials only, not on the load of the machine. */
  secondsOf(shape: SignalShape): number;
  /** Its graphs as ONNX models of published weights. */
  readonly graphs: Readonly<Record<string, (weights: Weights) => Uint8Array>>;
  /** Dimension of each of its sets. */
  readonly sets: Readonly<Record<string, (shape: SignalShape) => number>>;
  /** True if it reads the 19 fixed sites of such trials, so that `missing_channels` applies; absent: never. */
  readonly readsFixedSites?: (shape: SignalShape) => boolean;
  /** Its sets that `align: "none"` cannot use. */
  readonly together?: readonly string[];
  encode(trials: Trials, sets: readonly string[], context: EncodeContext, run: RunGraph): Promise<EncodedTrials>;
}
