import type { Client } from '@temporalio/client';

/** Deployment name of all workers, of any build. */
export const deploymentName = 'eeg-task-classifier';

/** gRPC codes. `failedPrecondition`: workers of this build do not poll every task queue of the current build. */
export const grpc = {
  invalidArgument: 3,
  notFound: 5,
  permissionDenied: 7,
  failedPrecondition: 9,
  unimplemented: 12,
} as const;

export interface Deployment {
  /** Build for new workflows; null: none, so that they go to workers without a build. */
  readonly current: string | null;
  readonly builds: readonly string[];
  /** Builds that were current before. */
  readonly former: readonly string[];
}

export const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;

/** The builds that the server knows, including the current one. */
export async function readDeployment(client: Client): Promise<Deployment> {
  const { namespace } = client.options;
  try {
    const { workerDeploymentInfo: info } = await client.workflowService.describeWorkerDeployment({
      namespace,
      deploymentName,
    });
    const current = info?.routingConfig?.currentDeploymentVersion?.buildId || null;
    const versions = (info?.versionSummaries ?? []).flatMap((version) => {
      const build = version.deploymentVersion?.buildId;
      return build ? { build, replaced: Boolean(version.lastDeactivationTime || version.drainageStatus) } : [];
    });
    return {
      current,
      builds: versions.map(({ build }) => build),
      former: versions.flatMap(({ build, replaced }) => (replaced && build !== current ? build : [])),
    };
  } catch (error) {
    if (codeOf(error) === grpc.notFound) return { current: null, builds: [], former: [] };
    throw error;
  }
}

/**
 * Routes new workflows, and the workflows of models, to workers of `build`; null: to workers without a build. Throws
 * while no such worker polls, or while they do not poll every task queue of the former current build.
 */
export async function makeCurrent(client: Client, build: string | null): Promise<void> {
  await client.workflowService.setWorkerDeploymentCurrentVersion({
    namespace: client.options.namespace,
    deploymentName,
    buildId: build ?? '',
    identity: client.options.identity,
  });
}

/** Query for fits that began with `build` and can end only with it. */
const unfinished = (build: string): string =>
  `TemporalWorkerDeploymentVersion = '${deploymentName}:${build}' AND ` +
  `TemporalWorkflowVersioningBehavior = 'Pinned' AND ExecutionStatus = 'Running'`;

/** Number of running fits that began with `build` and can end only with it. */
export const countUnfinished = async (client: Client, build: string): Promise<number> =>
  (await client.workflow.count(unfinished(build))).count;

/**
 * Whether workers of `build` may end: new workflows go to another build, and all fits that need this build have ended.
 * Workers of the current build may end too: others of the same build, or its next start, continue.
 */
export async function isDrained(client: Client, build: string): Promise<boolean> {
  const { current } = await readDeployment(client);
  if (current === null || current === build) return true;
  return (await countUnfinished(client, build)) === 0;
}

/** Moves workflows that began with `build`, whose workers are gone, to the current build; returns their number. */
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
