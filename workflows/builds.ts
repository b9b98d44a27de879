import { workflowInfo } from '@temporalio/workflow';

/**
 * Of a workflow that ends within minutes: it ends with the build that began it, where workers belong to builds. Servers
 * refuse the word from workers that do not.
 */
export const endsWithItsBuild = (): { versioningBehavior?: 'PINNED' } =>
  workflowInfo().currentDeploymentVersion?.deploymentName ? { versioningBehavior: 'PINNED' } : {};
