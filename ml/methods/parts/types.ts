import type { DatasetShape, Features } from '../../types.ts';
import type { Steps } from '../../steps.ts';
import type { Check } from '../reasons.ts';
import type { FitContext, Head } from '../types.ts';
import type { Workspace } from '../workspace.ts';
import type { SpatialFilters } from './patterns.ts';

/** Features of trials turned into vectors, one row per trial. */
export interface Vectors {
  /** [rows × dimension] */
  readonly x: Float64Array;
  readonly dimension: number;
}

/** First half of a method: what it learns about the signal's space. Row i of the result depends on trial i alone. */
export interface Representation {
  /** Names the result: two representations of one name are the same computation and are shared within a fold. */
  readonly name: string;
  /** False where `fit` reads no labels. */
  readonly needsLabels?: false;
  /** Why its features cannot be read from such trials: channels, seconds, rate. Null where they can. */
  readonly unreadable: Check;
  featureSets(shape: Pick<DatasetShape, 'frequenciesHz' | 'encoders'>): readonly string[];
  /** The feature set of [channels × parts] that its vectors are linear in; absent: none. */
  readonly linearIn?: string;
  /** The spatial filters behind the entries of its vectors, where these are log-variances. */
  readonly filters?: (head: Head) => SpatialFilters;
  fit(context: FitContext): Head;
  apply(head: Head, features: Features, rows: Int32Array, workspace: Workspace): Vectors;
}

/** Second half of a method: vectors and labels to log-scores. */
export interface Classifier {
  /** Its log-scores are linear in the vectors, and its head is a `LinearHead`. */
  readonly linear?: true;
  /** What it asks of the trials, whatever the vectors; absent: nothing. */
  readonly unreadable?: Check;
  /** As of a `Method`. */
  readonly prepare?: () => Promise<void>;
  /** What `fit` does with the vectors first, which the workspace keeps, in steps; absent: nothing that takes long. */
  readonly begin?: (vectors: Vectors, workspace: Workspace) => Steps<unknown>;
  /** `sessions` of the trials; absent or null: nobody named them. */
  fit(vectors: Vectors, labels: Int32Array, classes: number, workspace: Workspace, sessions?: Int32Array | null): Head;
  /** Log-scores [rows × classes]. */
  decide(head: Head, vectors: Vectors): Float64Array;
}
