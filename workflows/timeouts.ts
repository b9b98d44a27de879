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

/** Reading the signal: the staged object may live 15 minutes. */
export const extraction: ActivityOptions = heavy({
  startToCloseTimeout: '8 minutes',
  scheduleToCloseTimeout: '13 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '20 seconds' },
});

const fitting: ActivityOptions = {
  startToCloseTimeout: '30 minutes',
  scheduleToCloseTimeout: '1 hour',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '20 seconds', maximumAttempts: 5 },
};

/** Fitting in a worker thread, time in the queue included. */
export const learning: ActivityOptions = heavy(fitting);

/** A whole fit. Where a worker of a former build takes it, which does not know it, its steps follow at once. */
export const whole: ActivityOptions = heavy({
  ...fitting,
  retry: { ...fitting.retry, nonRetryableErrorTypes: ['NotFoundError'] },
});

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

/** Money and answer. Given up after an hour, so that a hold never lasts longer. */
export const commit: ActivityOptions = {
  startToCloseTimeout: '1 minute',
  scheduleToCloseTimeout: '1 hour',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '20 seconds' },
};
