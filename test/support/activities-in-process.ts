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

/** The tasks of the activities' threads, run where they are called. */
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
 * The worker's activities without a worker: they compute in this process unless they are given threads, and each call
 * runs in an activity context of its own. Without a `client` what looks at workflows cannot be called.
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
    // Tests move the time by what they hand over.
    clock: async (ms) => new Date(ms),
    ...deps,
  });
  const inContext = (call: (input: never) => Promise<unknown>) => (input: never) =>
    new MockActivityEnvironment({}, { logger }).run(call, input);
  return Object.fromEntries(
    Object.entries(activities).map(([name, call]) => [name, inContext(call as (input: never) => Promise<unknown>)]),
  ) as unknown as Activities;
}
