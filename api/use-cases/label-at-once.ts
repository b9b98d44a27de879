import { hostingIsDue } from '../../infra/records/task-models/hosting.ts';
import { prices } from '../../infra/contract/prices.ts';
import type { TaskModelRecord } from '../../infra/contract/task-model.ts';
import type { ReadingOptions } from '../http/read-body.ts';
import type { Caller } from '../http/request.ts';

/** Most classes of a model whose few trials are labelled before room is made for their answer. */
const fewClasses = 64;

/**
 * Lets the thread that reads the trials label them in the same task: a second task would wake two threads. Null if the
 * ledger must be asked first, the answer may be large, or encoders read the trials. Everything else that may refuse the
 * request is checked before the labels are used.
 */
export function labelAtOnce({ mode, funds, at }: Caller, record: TaskModelRecord): ReadingOptions['label'] {
  const { status, classes, readsEncoders } = record;
  if (status !== 'active' || readsEncoders || classes.length > fewClasses || funds.capped || hostingIsDue(record, at))
    return null;
  const mostWindows = mode === 'live' ? Number(funds.available / prices.window) : Infinity;
  return { modelRef: record.modelRef!, channels: record.channels, mostWindows };
}
