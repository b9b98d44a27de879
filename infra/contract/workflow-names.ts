/** Names that cross processes: task queue, workflow types and handlers, schedules. Changing one strands running workflows. */
export const temporalNames = {
  taskQueue: 'task-models',
  taskModel: 'taskModel',
  reconcile: 'reconcile',
  fit: 'fit',
  refresh: 'refresh',
  schedules: { daily: 'reconcile-daily', sweep: 'reconcile-sweep' },
} as const;

/** Id of the child workflow of one fit job. */
export const fitWorkflowId = (modelId: string, jobId: string): string => `${modelId}/fit/${jobId}`;
