import type { Client } from '@temporalio/client';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import type { Pool } from 'pg';
import { tasks } from '../../activities/compute/tasks.ts';
import { createActivities } from '../../activities/create-activities.ts';
import type { Activities } from '../../activities/activities.ts';
import type { ActivityDeps } from '../../activities/deps.ts';
import { isSteps, toEnd } from '../../ml/steps.ts';
import type { ObjectStore } from '../../infra/drivers/objects/object-store.ts';

const logger = new DefaultLogger('ERROR');

/** The tasks of the activities' threads, run in the calling thread. */
export const threadsHere: ActivityDeps['threads'] = {
  run: async (task, payload) => {
    const value = await (tasks[task] as (input: unknown) => any)(payload);
    return isSteps(value) ? toEnd(value) : value;
  },
  size: 1,
  load: 0,
  loadOf: () => 0,
  warm: true,
  whenWarm: Promise.resolve(),
  close: async () => undefined,
};

/**
 * The worker's activities without a worker. They compute in this process unless they get threads, and each call has its
 * own activity context. Without a `client`, activities that query workflows cannot be called.
 */
export function activitiesInProcess(deps: {
  pool: Pool;
  objects: ObjectStore;
  client?: Client;
  threads?: ActivityDeps['threads'];
}): Activities {
  const activities = createActivities({
    client: {} as Client,
    reference: { url: null, cacheDir: 'nowhere' },
    threads: threadsHere,
    // Tests set the time through their arguments.
    clock: async (ms) => new Date(ms),
    ...deps,
  });
  const inContext = (call: (input: never) => Promise<unknown>) => (input: never) =>
    new MockActivityEnvironment({}, { logger }).run(call, input);
  return Object.fromEntries(
    Object.entries(activities).map(([name, call]) => [name, inContext(call as (input: never) => Promise<unknown>)]),
  ) as unknown as Activities;
}
