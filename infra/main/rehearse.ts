import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import type { ApiDeps } from '../../api/deps.ts';
import { rehearseCreate } from '../../api/use-cases/rehearse-create.ts';
import type { EndedFits } from '../records/fit-jobs/ended.ts';
import { createJobs } from '../records/fit-jobs/jobs.ts';
import { within } from './stops.ts';

const times = 3;
const longestSeconds = 5;
/** Temporal refuses to start a workflow on it: a name has at most 1,000 characters. */
export const refusedQueue = 'warm-up'.repeat(200);

/**
 * Has an API process do what creates do (`rehearseCreate`) before it is said to be ready. It gives way to
 * tasks of others. What keeps it from that is said in the log. Never rejects; resolves after 5 seconds at the latest.
 */
export async function rehearse(deps: ApiDeps, client: Client, ended: EndedFits): Promise<void> {
  const jobs = createJobs({ client, pool: deps.pool, ended, taskQueue: refusedQueue });
  const late = AbortSignal.timeout(longestSeconds * 1000);
  const run = async (): Promise<void> => {
    for (let time = 0; time < times && !late.aborted && deps.threads.load === 0; time++)
      await Promise.all([rehearseCreate({ ...deps, jobs }), listenInVain(client)]);
  };
  await within(longestSeconds, run()).catch((error: unknown) =>
    deps.log.warn('A create could not be rehearsed; the first takes longer.', { error }),
  );
}

/** As one waits for the end of a fit. */
const listenInVain = (client: Client): Promise<unknown> =>
  client.workflow
    .getHandle(`warm-up-${randomUUID()}`)
    .result()
    .catch(() => undefined);
