import { workflowInfo } from '@temporalio/workflow';

/**
 * Versioning of a workflow that ends within minutes: if workers have builds, it stays on the build that started it.
 * Servers reject the setting from workers without builds.
 */
export const endsWithItsBuild = (): { versioningBehavior?: 'PINNED' } =>
  workflowInfo().currentDeploymentVersion?.deploymentName ? { versioningBehavior: 'PINNED' } : {};
