import type { Client } from '@temporalio/client';
import type pg from 'pg';
import type { DataSet } from '../infra/contract/reference-data/data-set-schema.ts';
import type { DownloadLimits } from '../infra/downloads/download.ts';
import type { ObjectStore } from '../infra/drivers/objects/object-store.ts';
import type { ThreadPool } from '../infra/drivers/threads/pool-types.ts';
import type { Log } from '../infra/observe/log.ts';
import type { ActivityTasks } from './compute/compute.ts';

/** Everything the activities need; `infra/main` and tests build it. */
export interface ActivityDeps {
  readonly pool: pg.Pool;
  readonly objects: ObjectStore;
  /** Pool over `activities/compute/entry.ts`. */
  readonly threads: ThreadPool<ActivityTasks>;
  /** For the reconciler, which looks at the workflows of models and starts what is missing. */
  readonly client: Client;
  readonly taskQueue?: string;
  readonly reference: ReferenceOptions;
  /** Bytes of features and scores that the fits of the process share; default: a gibibyte. */
  readonly fitMemoryBytes?: number;
  readonly log?: Log;
  /**
   * The time that renewals and the check of the books go by, in an activity whose workflow's clock says `workflowMs`;
   * default: the database's clock.
   */
  readonly clock?: (workflowMs: number) => Promise<Date>;
  /** Milliseconds after which a fit that still runs stores its features; default: 5,000. */
  readonly storesAfterMs?: number;
  /** Called at each named step with its name; tests end the process there. */
  readonly faults?: (point: FaultPoint) => void | Promise<void>;
}

/** Where reference recordings come from. */
export interface ReferenceOptions {
  /** REFERENCE_DATA_URL; null: each data set's official site. */
  readonly url: string | null;
  /** Folder that keeps what was downloaded. */
  readonly cacheDir: string;
  /** The catalogue; tests have their own. */
  readonly sets?: readonly DataSet[];
  readonly limits?: DownloadLimits;
}

/** Steps between which a process may die; `test/chaos` kills it at each. */
export const faultPoints = [
  'extract:before-features',
  'extract:after-features',
  'extract:after-staged-deleted',
  'score:before',
  'score:after-stored',
  'refit:before',
  'refit:after-model',
  'activate:before',
  'activate:before-commit',
  'activate:after-commit',
  'activate:after-clean-up',
  'abandon:before-commit',
  'abandon:after-commit',
  'settle:before-commit',
  'settle:after-commit',
  'settle:after-clean-up',
] as const;

/** The same of reference data. */
export const referenceFaultPoints = [
  'person:before-download',
  'person:during-download',
  'person:before-features',
  'person:after-features',
  'reference-fit:before',
  'reference-fit:after-object',
] as const;

export type FaultPoint = (typeof faultPoints)[number] | (typeof referenceFaultPoints)[number];
