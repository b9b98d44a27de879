import type { Matrix } from '../../matrix.ts';
import type { DatasetShape, Features } from '../../types.ts';
import type { Steps } from '../../steps.ts';
import type { Check } from '../reasons.ts';
import type { FitContext, Head } from '../types.ts';
import type { Workspace } from '../workspace.ts';
import type { SpatialFilters } from './patterns.ts';

/** Feature vectors [trials × dimension], one row for each trial. */
export type Vectors = Matrix;

/** First half of a method: converts features of trials to vectors. Row i of the result depends only on trial i. */
export interface Representation {
  /** Representations with the same name do the same computation, and use one cached result within a fold. */
  readonly name: string;
  /** False where `fit` reads no labels. */
  readonly needsLabels?: false;
  /** Why trials of a shape do not suit its features (channels, seconds, rate); null: they do. */
  readonly unreadable: Check;
  featureSets(shape: Pick<DatasetShape, 'frequenciesHz' | 'encoders'>): readonly string[];
  /** The feature set of [channels × parts] in which its vectors are linear; absent: none. */
  readonly linearIn?: string;
  /** The spatial filters of its vector entries, if these are log-variances. */
  readonly filters?: (head: Head) => SpatialFilters;
  fit(context: FitContext): Head;
  apply(head: Head, features: Features, rows: Int32Array, workspace: Workspace): Vectors;
}

/** Second half of a method: converts vectors to log-scores, trained with labels. */
export interface Classifier {
  /** True if its log-scores are linear in the vectors and its head is a `LinearHead`. */
  readonly linear?: true;
  /** Why trials of a shape do not suit it with any vectors; absent: all do. */
  readonly unreadable?: Check;
  /** As `Method.prepare`. */
  readonly prepare?: () => Promise<void>;
  /** First part of `fit`, in steps; the workspace caches its result. Absent: `fit` has no long first part. */
  readonly begin?: (vectors: Vectors, workspace: Workspace) => Steps<unknown>;
  /** `sessions` of the trials; absent or null: the caller named none. */
  fit(vectors: Vectors, labels: Int32Array, classes: number, workspace: Workspace, sessions?: Int32Array | null): Head;
  /** Log-scores [rows × classes]. */
  decide(head: Head, vectors: Vectors): Float64Array;
}
