import type { Client } from '@temporalio/client';
import type pg from 'pg';
import type { DataSet } from '../infra/contract/reference-data/data-set-schema.ts';
import type { DownloadLimits } from '../infra/downloads/download.ts';
import type { ObjectStore } from '../infra/drivers/objects/object-store.ts';
import type { ThreadPool } from '../infra/drivers/threads/pool-types.ts';
import type { Log } from '../infra/observe/log.ts';
import type { ActivityTasks } from './compute/compute.ts';

/** Dependencies of the activities. `infra/main` and tests build it. */
export interface ActivityDeps {
  readonly pool: pg.Pool;
  readonly objects: ObjectStore;
  /** Thread pool that runs `activities/compute/entry.ts`. */
  readonly threads: ThreadPool<ActivityTasks>;
  /** For the reconciler, which inspects the workflows of models and starts missing ones. */
  readonly client: Client;
  readonly taskQueue?: string;
  readonly reference: ReferenceOptions;
  /** Bytes of features and scores of all fits that run in the process; default: 1 GiB. */
  readonly fitMemoryBytes?: number;
  readonly log?: Log;
  /**
   * The current time for renewals and for the check of the ledger, in an activity whose workflow's clock says
   * `workflowMs`; default: the database's clock.
   */
  readonly clock?: (workflowMs: number) => Promise<Date>;
  /** A fit that still runs after this many milliseconds stores its features; default: 5,000. */
  readonly storesAfterMs?: number;
  /** Called at each fault point with its name. Tests end the process there. */
  readonly faults?: (point: FaultPoint) => void | Promise<void>;
}

/** The source of reference recordings. */
export interface ReferenceOptions {
  /** REFERENCE_DATA_URL; null: each data set's official site. */
  readonly url: string | null;
  /** Folder of downloaded recordings. */
  readonly cacheDir: string;
  /** The catalogue of data sets. Tests pass their own. */
  readonly sets?: readonly DataSet[];
  readonly limits?: DownloadLimits;
}

/** Steps between which a process may die. `test/chaos` kills it at each. */
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

/** The same for reference data. */
export const referenceFaultPoints = [
  'person:before-download',
  'person:during-download',
  'person:before-features',
  'person:after-features',
  'reference-fit:before',
  'reference-fit:after-object',
] as const;

export type FaultPoint = (typeof faultPoints)[number] | (typeof referenceFaultPoints)[number];
