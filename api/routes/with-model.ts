import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../infra/contract/errors.ts';
import type { TaskModelRecord } from '../../infra/contract/task-model.ts';
import type { ApiDeps } from '../deps.ts';
import { sendAnswer, type Answer } from '../http/answer.ts';
import type { Ticket } from '../http/idempotency.ts';
import { readBody, type BodyRead, type ReadingOptions } from '../http/read-body.ts';
import { callerOf, pathId } from '../http/request.ts';
import { runOnce } from '../http/run-once.ts';
import { findOrRefuse } from '../use-cases/find-model.ts';

/**
 * A request that sends trials to a model: the model is found before the body is read, with the admission, so that no
 * large body is read in vain, and a model that this code cannot serve is refused with what is missing. The trials go
 * through the resampler that the model is pinned to; `labelled` says whether they may be labelled at once. What was
 * answered before under the same key is answered again even if the model has gone since.
 */
export async function withModelAndTrials(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  what: 'batch' | 'predict',
  work: (record: TaskModelRecord, read: BodyRead, ticket: Ticket) => Promise<Answer>,
  labelled: (record: TaskModelRecord) => ReadingOptions['label'] = () => null,
): Promise<FastifyReply> {
  const found = findOrRefuse(callerOf(request), pathId(request));
  const read =
    found instanceof ApiError
      ? await readBody(deps, request, what, found)
      : await readBody(deps, request, what, null, { resampler: found.resampler, label: labelled(found) });
  if ('replay' in read) return sendAnswer(reply, request, read.replay, { replayed: true });
  if (found instanceof ApiError) throw found;
  return runOnce(deps, request, reply, read.intake.hash, (ticket) => work(found, read, ticket));
}
