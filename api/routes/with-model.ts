import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../infra/contract/errors.ts';
import type { TaskModelRecord } from '../../infra/contract/task-model.ts';
import type { ApiDeps } from '../deps.ts';
import { sendAnswer, type Answer } from '../http/answer.ts';
import type { Ticket } from '../http/idempotency.ts';
import { readBody } from '../http/read-body.ts';
import { callerOf, pathId } from '../http/request.ts';
import { runOnce } from '../http/run-once.ts';
import type { IntakeAccepted } from '../threads/intake.ts';
import { findOrRefuse } from '../use-cases/find-model.ts';

/**
 * A request that sends trials to a model: the model is found before the body is read, with the admission, so that no
 * large body is read in vain, and a model that this code cannot serve is refused with what is missing. The trials go through the resampler
 * that the model is pinned to. What was answered before under the same key is answered again even if the model has gone
 * since.
 */
export async function withModelAndTrials(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  what: 'batch' | 'predict',
  work: (record: TaskModelRecord, intake: IntakeAccepted, ticket: Ticket) => Promise<Answer>,
): Promise<FastifyReply> {
  const found = findOrRefuse(callerOf(request), pathId(request));
  const read =
    found instanceof ApiError
      ? await readBody(deps, request, what, found)
      : await readBody(deps, request, what, null, found.resampler);
  if ('replay' in read) return sendAnswer(reply, request, read.replay, { replayed: true });
  if (found instanceof ApiError) throw found;
  const { intake } = read;
  return runOnce(deps, request, reply, intake.hash, (ticket) => work(found, intake, ticket));
}
