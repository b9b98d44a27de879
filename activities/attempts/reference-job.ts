import { Context } from '@temporalio/activity';
import type { RecordedJob } from './attempts.ts';

/** A job of reference data. Temporal counts its attempts. A new run of the workflow is a new job. */
export const referenceJob = <T>(name: string, givenUp: RecordedJob<T>['givenUp']): RecordedJob<T> => ({
  id: `${name}/${Context.current().info.workflowExecution?.runId}`,
  kind: 'reference',
  mayRequeue: false,
  givenUp,
});
