import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { wakeTaskModel } from './task-model-workflow.ts';

/** The second takes half as long as the first, the fourth no less than the third. */
const times = 3;
const longestSeconds = 5;

/**
 * Has workers run workflows of task models that nobody made, which find nothing in Postgres and end. What all workflows
 * share is ready then, so that the first fit waits for its workflow no longer than the next. All that they leave is an
 * ended workflow each in Temporal. Never rejects; resolves after 5 seconds at the latest, or with `stopping`.
 */
export async function runForNobody(client: Client, stopping: AbortSignal, taskQueue?: string): Promise<void> {
  const ended = new AbortController();
  const run = async (): Promise<void> => {
    for (let time = 0; time < times && !ended.signal.aborted; time++) {
      const nobody = `warm-up-${randomUUID()}`;
      await wakeTaskModel(client, nobody, taskQueue);
      await client.workflow.getHandle(nobody).result();
    }
  };
  const late = sleep(longestSeconds * 1000, undefined, { ref: false, signal: stopping });
  await Promise.race([run(), late]).catch(() => undefined);
  ended.abort();
}
