import { proxyActivities, sleep } from '@temporalio/workflow';
import type { Activities } from '../../../activities/activities.ts';
import { unlimitedRetries } from '../../../workflows/timeouts.ts';

export { fitTaskModel, reconcile, reconcileStep } from '../../../workflows/index.ts';

const { readLifecycle } = proxyActivities<Activities>(unlimitedRetries);

/**
 * What a careless change looks like: a step before the first one, without `patched()`. Running workflows could not go
 * on.
 */
export async function taskModel({ modelId }: { modelId: string }): Promise<void> {
  await sleep('1 second');
  await readLifecycle({ modelId, at: Date.now() });
}
