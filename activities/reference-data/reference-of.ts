import { ApplicationFailure } from '@temporalio/common';
import { dataSets } from '../../infra/contract/reference-data/data-sets.ts';
import type { DataSet, ReferenceTask } from '../../infra/contract/reference-data/data-set-schema.ts';
import type { ReferenceTaskKey } from '../../infra/contract/reference-data/preparation.ts';
import type { ReferenceFault } from '../../infra/recordings/reference-data/fault.ts';
import { openReferenceSource, type ReferenceSource } from '../../infra/recordings/reference-data/source.ts';
import type { ReferenceOptions } from '../deps.ts';
import type { Stopped } from '../activities.ts';
import { publicMessage } from './public-message.ts';

/** A reference task with its data set and its source. */
export interface Reference {
  readonly set: DataSet;
  readonly task: ReferenceTask;
  readonly source: ReferenceSource;
  /** A fault as a message for callers. */
  publicMessage(message: string): string;
}

/** Throws if the catalogue of this worker has no such task. */
export function referenceOf(options: ReferenceOptions, key: ReferenceTaskKey): Reference {
  const { url, cacheDir, limits, sets = dataSets } = options;
  const set = sets.find(({ id, version }) => id === key.set && version === key.version);
  const task = set?.tasks.find(({ id }) => id === key.task);
  if (!set || !task)
    throw ApplicationFailure.create({
      type: 'UnknownReferenceTask',
      message: `This worker's catalogue has no task "${key.task}" of ${key.set} ${key.version}.`,
      nonRetryable: true,
    });
  const source = openReferenceSource(set, { url, cacheDir, limits });
  return { set, task, source, publicMessage: (message) => publicMessage(message, set, source, options) };
}

/** A fault that ends a preparation. */
export const stoppedBy = (
  { status, retryable, message }: ReferenceFault,
  { publicMessage }: Pick<Reference, 'publicMessage'>,
): Stopped => ({ status, retryable, reason: publicMessage(message) });
