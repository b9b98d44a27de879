import { hostingIsDue } from '../../infra/records/task-models/hosting.ts';
import { prices } from '../../infra/contract/prices.ts';
import type { TaskModelRecord } from '../../infra/contract/task-model.ts';
import type { ReadingOptions } from '../http/read-body.ts';
import type { Caller } from '../http/request.ts';

/** Models with more classes reserve memory for the answer before any trials are labelled. */
const fewClasses = 64;

/**
 * Lets the thread that reads the trials label them in the same task, because a second task would have to wake two
 * threads. Null if the ledger must be queried first, if the answer may be large, or if encoders read the trials. All
 * other checks that may reject the request run before the labels are used.
 */
export function labelAtOnce({ mode, funds, at }: Caller, record: TaskModelRecord): ReadingOptions['label'] {
  const { status, classes, readsEncoders } = record;
  if (status !== 'active' || readsEncoders || classes.length > fewClasses || funds.capped || hostingIsDue(record, at))
    return null;
  const mostWindows = mode === 'live' ? Number(funds.available / prices.window) : Infinity;
  return { modelRef: record.modelRef!, channels: record.channels, mostWindows };
}
