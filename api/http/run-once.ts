import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../infra/contract/errors.ts';
import type { ApiDeps } from '../deps.ts';
import { sendAnswer, type Answer } from './answer.ts';
import { openTicket, type Ticket } from './idempotency.ts';
import { jobAnswer, progressOf } from './job-answer.ts';
import { asyncPreferenceOf } from './prefer.ts';
import { callerOf } from './request.ts';

/**
 * The job continues although this request ends without its answer. The key stays in use, and a retry gets the answer.
 */
const jobContinues = (error: unknown): boolean => error instanceof ApiError && error.details.job === 'running';

/** Aborts when the connection ends before the answer was sent. */
function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const disconnected = new AbortController();
  const ended = (): void => {
    if (!raw.writableFinished) disconnected.abort();
  };
  if (raw.closed || raw.destroyed) ended();
  else raw.once('close', ended);
  return disconnected.signal;
}

/**
 * Runs `work` under the request's Idempotency-Key and sends its answer, or the stored one. `work` stores a terminal
 * answer with `ticket.finish` in its own transaction. An error of `work` releases the key (design, decision 10), unless
 * the job continues.
 */
export async function runOnce(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  bodyHash: string,
  work: (ticket: Ticket) => Promise<Answer>,
): Promise<FastifyReply> {
  const opened = await openTicket(deps, request, bodyHash, disconnectSignal(reply), ({ jobId }) =>
    progressOf(deps, jobId),
  );
  if ('replay' in opened) return sendAnswer(reply, request, opened.replay, { replayed: true });
  if ('job' in opened)
    return sendAnswer(
      reply,
      request,
      await jobAnswer(deps, callerOf(request), opened.job.jobId, asyncPreferenceOf(request)!),
    );
  try {
    return sendAnswer(reply, request, await work(opened.ticket));
  } catch (error) {
    if (!jobContinues(error))
      await opened.ticket
        .release()
        .catch((cause: unknown) =>
          deps.log.warn('An idempotency key was not let go; its lock expires.', { request: request.id, error: cause }),
        );
    throw error;
  }
}
