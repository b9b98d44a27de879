/**
 * `features` is raised when what is stored of a person changes, `fit` when a fit of the same features gives other
 * numbers. What was made before is then made again.
 */
export const referenceVersions = { features: '2', fit: '5' } as const;

/** How far the preparation of a reference task is. `absent`: nobody has asked for it. */
export type PreparationStatus = 'absent' | 'queued' | 'running' | 'ready' | 'failed' | 'required';

/** Whether it ended without success. */
export const isStopped = (status: string): status is 'failed' | 'required' =>
  status === 'failed' || status === 'required';

/** People of a data set by what is held of them. */
export interface PeopleCounts {
  readonly used: number;
  /** Used, from recordings that are not the published ones. */
  readonly own: number;
  /** The source has none of their recordings, or not those of every class. */
  readonly missing: number;
  /** A file of theirs could not be used. */
  readonly faulty: number;
}

/** What has been done. */
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
