import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';

/** All workers of the service, of whatever build. */
export const deploymentName = 'eeg-task-classifier';

const pollMs = 1_000;
const notFound = 5;
/** Not every task queue of the current build is polled by workers of this one yet. */
const notYet = 9;

export interface Deployment {
  /** Build to which new workflows go; null: none, so that they go to workers that name no build. */
  readonly current: string | null;
  readonly builds: readonly string[];
}

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;

/** The builds that the server knows, the current one among them. */
export async function readDeployment(client: Client): Promise<Deployment> {
  const { namespace } = client.options;
  try {
    const { workerDeploymentInfo: info } = await client.workflowService.describeWorkerDeployment({
      namespace,
      deploymentName,
    });
    return {
      current: info?.routingConfig?.currentDeploymentVersion?.buildId || null,
      builds: (info?.versionSummaries ?? []).flatMap(({ deploymentVersion }) => deploymentVersion?.buildId || []),
    };
  } catch (error) {
    if (codeOf(error) === notFound) return { current: null, builds: [] };
    throw error;
  }
}

/**
 * Sends new workflows, and the models' own, to workers of `build`. Throws while none of them polls, or not every task
 * queue of the build that was current.
 */
export async function makeCurrent(client: Client, build: string): Promise<void> {
  await client.workflowService.setWorkerDeploymentCurrentVersion({
    namespace: client.options.namespace,
    deploymentName,
    buildId: build,
    identity: client.options.identity,
  });
}

/** Makes `build` the current one as soon as its workers poll every queue. Ends with `signal`. */
export async function becomeCurrent(client: Client, build: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      return await makeCurrent(client, build);
    } catch (error) {
      if (![notFound, notYet].includes(codeOf(error) as number)) throw error;
      await sleep(pollMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Fits that began with `build` and can end with no other. */
const unfinished = (build: string): string =>
  `TemporalWorkerDeploymentVersion = '${deploymentName}:${build}' AND ` +
  `TemporalWorkflowVersioningBehavior = 'Pinned' AND ExecutionStatus = 'Running'`;

/**
 * Whether workers of `build` may end: new workflows go to another build, and what began with this one has ended. Where
 * this build is the current one, its workers may end, too: others of it, or its next start, go on.
 */
export async function isDrained(client: Client, build: string): Promise<boolean> {
  const { current } = await readDeployment(client);
  if (current === null || current === build) return true;
  return (await client.workflow.count(unfinished(build))).count === 0;
}

/**
 * Lets what began with `build`, whose workers are gone, go on with the current build; returns how many workflows that
 * were.
 */
export async function releaseFrom(client: Client, build: string): Promise<number> {
  let released = 0;
  for await (const { workflowId, runId } of client.workflow.list({ query: unfinished(build) })) {
    await client.workflowService.updateWorkflowExecutionOptions({
      namespace: client.options.namespace,
      workflowExecution: { workflowId, runId },
      workflowExecutionOptions: { versioningOverride: { autoUpgrade: true } },
      updateMask: { paths: ['versioning_override'] },
    });
    released += 1;
  }
  return released;
}
