/**
 * Increment `features` when the stored features of a person change, `fit` when a fit of the same features gives other
 * numbers. Results of older versions are then computed again.
 */
export const referenceVersions = { features: '2', fit: '6' } as const;

/** State of the preparation of a reference task. `absent`: it was never requested. */
export type PreparationStatus = 'absent' | 'queued' | 'running' | 'ready' | 'failed' | 'required';

/** Whether it ended without success. */
export const isStopped = (status: string): status is 'failed' | 'required' =>
  status === 'failed' || status === 'required';

/** Numbers of people of a data set, by the state of their recordings. */
export interface PeopleCounts {
  readonly used: number;
  /** Used, with recordings that are not the published ones. */
  readonly own: number;
  /** The source has no recordings of theirs, or not those of every class. */
  readonly missing: number;
  /** One of their files could not be used. */
  readonly faulty: number;
}

/** Progress of a preparation. */
export interface PreparationProgress {
  readonly people: { readonly done: number; readonly total: number };
  readonly files: { readonly done: number; readonly total: number };
  readonly bytes: { readonly done: number; readonly total: number };
}

/** People that are prepared at the same time. */
export const peopleAtOnce = 3;

/** Key of a reference task. */
export interface ReferenceTaskKey {
  readonly set: string;
  readonly version: string;
  readonly task: string;
}
