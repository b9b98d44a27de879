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

/** Where graphs are run: the sessions of this process, asked from whatever thread. */
export type Encoders = (weights: WeightsId) => RunGraph;

/** What is known of trials besides themselves where an encoder reads them. */
export interface EncodeContext {
  /** Rows of each recording in the order in which it was recorded; null: nobody named them, or none is to be read. */
  readonly recordings: readonly Int32Array[] | null;
  /** What `standardOf` made of the trials that a model was fitted on; absent: these are trials to fit on. */
  readonly standard?: Float64Array | undefined;
}

/** A pretrained encoder: what it makes of trials, as feature sets [trials × dimension] named `ID/HASH/SET`. */
export interface Encoder {
  readonly id: string;
  /** Of all that stands before and behind its graphs; changes whenever a number of a set would. */
  readonly version: number;
  /** It reads nothing above. */
  readonly highestHz: number;
  /** Its graphs as ONNX models of published weights. */
  readonly graphs: Readonly<Record<string, (weights: Weights) => Uint8Array>>;
  /** Dimension of each of its sets. */
  readonly sets: Readonly<Record<string, (shape: SignalShape) => number>>;
  /** Whether it reads the 19 fixed sites of such trials, which `missing_channels` speaks of; absent: never. */
  readonly readsFixedSites?: (shape: SignalShape) => boolean;
  /** Of its sets those that `align: "none"` has no use for. */
  readonly together?: readonly string[];
  encode(
    trials: Trials,
    sets: readonly string[],
    context: EncodeContext,
    run: RunGraph,
  ): Promise<Readonly<Record<string, Float64Array>>>;
  /** What lone trials of a fitted model are read against, of the sets of its training trials; absent: nothing. */
  standardOf?(
    sets: Readonly<Record<string, Float64Array>>,
    trials: number,
    recordings: EncodeContext['recordings'],
  ): Float64Array;
}
