import type { Client } from '@temporalio/client';
import type pg from 'pg';
import type { ObjectStore } from '../infra/drivers/objects/index.ts';
import type { ThreadPool } from '../infra/drivers/threads/index.ts';
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
  readonly log?: (line: string) => void;
  /** Called at each named step with its name; tests end the process there. */
  readonly faults?: (point: FaultPoint) => void | Promise<void>;
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
  'refit:after-report',
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

export type FaultPoint = (typeof faultPoints)[number];
