import { Context } from '@temporalio/activity';
import type { RecordedJob } from './attempts.ts';

/**
 * A job of reference data, whose attempts Temporal counts. Another run of the workflow, which somebody asked for again, is
 * another job.
 */
export const referenceJob = <T>(name: string, givenUp: RecordedJob<T>['givenUp']): RecordedJob<T> => ({
  id: `${name}/${Context.current().info.workflowExecution?.runId}`,
  kind: 'reference',
  goesBack: false,
  givenUp,
});
