import type { Client } from '@temporalio/client';

/** All workers of the service, of whatever build. */
export const deploymentName = 'eeg-task-classifier';

/** Codes of gRPC. `failedPrecondition`: not every task queue of the current build is polled by workers of this one. */
export const grpc = {
  invalidArgument: 3,
  notFound: 5,
  permissionDenied: 7,
  failedPrecondition: 9,
  unimplemented: 12,
} as const;

export interface Deployment {
  /** Build to which new workflows go; null: none, so that they go to workers that name no build. */
  readonly current: string | null;
  readonly builds: readonly string[];
  /** Those that were the current one and are it no more. */
  readonly former: readonly string[];
}

export const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;

/** The builds that the server knows, the current one among them. */
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
 * Sends new workflows, and the models' own, to workers of `build`; null: to those without a build. Throws while none of
 * them polls, or not every task queue of the build that was current.
 */
export async function makeCurrent(client: Client, build: string | null): Promise<void> {
  await client.workflowService.setWorkerDeploymentCurrentVersion({
    namespace: client.options.namespace,
    deploymentName,
    buildId: build ?? '',
    identity: client.options.identity,
  });
}

/** Fits that began with `build` and can end with no other. */
const unfinished = (build: string): string =>
  `TemporalWorkerDeploymentVersion = '${deploymentName}:${build}' AND ` +
  `TemporalWorkflowVersioningBehavior = 'Pinned' AND ExecutionStatus = 'Running'`;

/** How many fits began with `build`, can end with no other, and have not ended. */
export const countUnfinished = async (client: Client, build: string): Promise<number> =>
  (await client.workflow.count(unfinished(build))).count;

/**
 * Whether workers of `build` may end: new workflows go to another build, and what began with this one has ended. Where
 * this build is the current one, its workers may end, too: others of it, or its next start, go on.
 */
export async function isDrained(client: Client, build: string): Promise<boolean> {
  const { current } = await readDeployment(client);
  if (current === null || current === build) return true;
  return (await countUnfinished(client, build)) === 0;
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
