import type { Client } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import type { Pool } from 'pg';
import { tasks } from '../../activities/compute/tasks.ts';
import { createActivities, type Activities, type ActivityDeps } from '../../activities/index.ts';
import { createTools, type Tools } from '../../activities/tools.ts';
import type { ObjectStore } from '../../infra/drivers/objects/index.ts';

const logger = new DefaultLogger('ERROR');

/** The tasks of the activities' threads, run where they are called. */
const here: ActivityDeps['threads'] = {
  run: async (task, payload) => (tasks[task] as (input: unknown) => any)(payload),
  size: 1,
  load: 0,
  loadOf: () => 0,
  warm: true,
  whenWarm: Promise.resolve(),
  close: async () => undefined,
};

interface InProcess {
  readonly pool: Pool;
  readonly objects: ObjectStore;
  readonly client?: Client;
  readonly threads?: ActivityDeps['threads'];
}

const depsOf = (own: InProcess): ActivityDeps => ({
  client: {} as Client,
  reference: { url: null, cacheDir: 'nowhere' },
  threads: here,
  ...own,
});

/** What the activities work with, for the steps of a fit. */
export const toolsInProcess = (own: InProcess): Tools => createTools(depsOf(own));

/**
 * The worker's activities without a worker: they compute in this process unless they are given threads, and each call
 * runs in an activity context of its own. Without a `client` what looks at workflows cannot be called.
 */
export function activitiesInProcess(own: InProcess): Activities {
  const activities = createActivities(depsOf(own));
  const inContext = (call: (input: never) => Promise<unknown>) => (input: never) =>
    new MockActivityEnvironment({}, { logger }).run(call, input);
  return Object.fromEntries(
    Object.entries(activities).map(([name, call]) => [name, inContext(call as (input: never) => Promise<unknown>)]),
  ) as unknown as Activities;
}
