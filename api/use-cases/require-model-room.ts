import type { BatchTotals } from '../../infra/records/task-models/batches.ts';
import { ApiError } from '../../infra/contract/errors.ts';
import { limits } from '../../infra/contract/limits.ts';
import { count } from '../../infra/contract/quote.ts';
import { tooManyClasses } from '../intake/labels.ts';

const gibibytes = (bytes: number): string => `${(bytes / 1024 ** 3).toFixed(1)} GiB`;

/**
 * Throws PAYLOAD_TOO_LARGE if a further batch with these labels would make a collecting model too large for a fit. The
 * error states the limit and what still fits. The batch's features are assumed to be as large as those of the first
 * batch.
 */
export function requireModelRoom(
  { batches, trials: sent, bytes, first, trialsPerClass }: BatchTotals,
  labels: readonly string[],
): void {
  const many = tooManyClasses([...Object.keys(trialsPerClass), ...labels]);
  if (many) throw new ApiError(many.code!, many.message, { field: many.field });
  const trials = labels.length;
  const perTrial = first ? first.bytes / Math.max(1, first.trials) : 0;
  const left = Math.floor(
    Math.max(0, Math.min(limits.trialsPerModel - sent, (limits.featureBytesPerModel - bytes) / Math.max(1, perTrial))),
  );
  const isFull = batches >= limits.batchesPerModel;
  if (!isFull && trials <= left) return;
  const current = `This model holds ${count(sent)} trials in ${count(batches)} batches (${gibibytes(bytes)} of features)`;
  throw new ApiError(
    'PAYLOAD_TOO_LARGE',
    `${current}; a model takes at most ${count(limits.trialsPerModel)} trials, ${count(limits.batchesPerModel)} batches and ` +
      `${gibibytes(limits.featureBytesPerModel)}. ` +
      (isFull || left === 0
        ? 'No further trial fits: fit the model as it is.'
        : `${count(left)} of the ${count(trials)} trials of this batch still fit: send these, or fit the model as it is.`),
    { field: 'x' },
  );
}
