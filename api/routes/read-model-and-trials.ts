import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../infra/contract/errors.ts';
import type { TaskModelRecord } from '../../infra/contract/task-model.ts';
import type { ApiDeps } from '../deps.ts';
import type { Answer } from '../http/answer.ts';
import { readBody, type BodyRead, type ReadingOptions } from '../http/read-body.ts';
import { callerOf, pathId } from '../http/request.ts';
import { findOrRefuse } from '../use-cases/find-model.ts';

/** A model, and the trials of a request to it. */
export type ModelAndTrials = BodyRead & { readonly record: TaskModelRecord };

/**
 * Finds the model at admission, before the body is read, so that no large body is read in vain. The trials go through
 * the resampler to which the model is pinned. With `labels` the same task may label them. A request that was answered
 * before under the same key gets that answer, even if the model has ended in the meantime.
 */
export async function readModelAndTrials(
  deps: ApiDeps,
  request: FastifyRequest,
  what: 'batch' | 'predict',
  labels: (record: TaskModelRecord) => ReadingOptions['label'] = () => null,
): Promise<ModelAndTrials | { readonly replay: Answer }> {
  const record = findOrRefuse(callerOf(request), pathId(request));
  if (record instanceof ApiError) {
    request.speculation?.cancel();
    const read = await readBody(deps, request, what, record);
    if ('replay' in read) return read;
    throw record;
  }
  const read = await readBody(deps, request, what, null, { resampler: record.resampler, label: labels(record) });
  return 'replay' in read ? read : { ...read, record };
}
