import { workflowInfo, type ActivityOptions } from '@temporalio/workflow';
import { heavyQueueOf } from '../infra/contract/workflow-names.ts';

/**
 * Options of numerics, whose queue is that of the workflow's own: read where an activity is scheduled. A queue is no
 * part of what a replay compares.
 */
const heavy = (options: ActivityOptions): ActivityOptions => ({
  ...options,
  get taskQueue() {
    return heavyQueueOf(workflowInfo().taskQueue);
  },
});

/** Statements and small objects: retried until they succeed, because a model must never be left half way. */
export const steady: ActivityOptions = {
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
};

const inThreads: ActivityOptions = {
  startToCloseTimeout: '30 minutes',
  scheduleToCloseTimeout: '1 hour',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '20 seconds' },
};

/** A whole fit, time in the queue included. It counts its attempts itself (`activities/attempts`). */
export const fitting: ActivityOptions = heavy(inThreads);

/** A fit on reference recordings. */
export const learning: ActivityOptions = heavy({ ...inThreads, retry: { ...inThreads.retry, maximumAttempts: 5 } });

/**
 * One person's recordings and features. A worker that dies gives it to another within seconds; one that is cancelled
 * has ended before the next begins.
 */
export const preparing: ActivityOptions = heavy({
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  startToCloseTimeout: '2 hours',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '20 seconds', maximumAttempts: 20 },
});
