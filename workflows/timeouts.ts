import { workflowInfo, type ActivityOptions } from '@temporalio/workflow';
import { heavyQueueOf } from '../infra/contract/workflow-names.ts';

/**
 * Options of computing activities. Their queue is derived from the workflow's own queue when an activity is scheduled.
 * Replay does not compare queues.
 */
const heavy = (options: ActivityOptions): ActivityOptions => ({
  ...options,
  get taskQueue() {
    return heavyQueueOf(workflowInfo().taskQueue);
  },
});

/** Database statements and small objects. Retried until they succeed, so that a model is never left half updated. */
export const unlimitedRetries: ActivityOptions = {
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

/** A whole fit, queue time included. It counts its attempts itself (`activities/attempts`). */
export const fitting: ActivityOptions = heavy(inThreads);

/** A fit on reference recordings. */
export const learning: ActivityOptions = heavy({ ...inThreads, retry: { ...inThreads.retry, maximumAttempts: 5 } });

/**
 * One person's recordings and features. If a worker dies, another one gets the activity within seconds. A cancelled
 * activity ends before the next one starts.
 */
export const preparing: ActivityOptions = heavy({
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  startToCloseTimeout: '2 hours',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '20 seconds', maximumAttempts: 20 },
});
