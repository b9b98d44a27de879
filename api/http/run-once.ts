import type { FastifyReply, FastifyRequest } from 'fastify';
import { readProgress } from '../../infra/records/task-models/progress.ts';
import type { IdempotentJob } from '../../infra/records/admission/idempotency.ts';
import { ApiError } from '../../infra/contract/errors.ts';
import type { ApiDeps } from '../deps.ts';
import { sendAnswer, type Answer } from './answer.ts';
import { openTicket, type Ticket } from './idempotency.ts';

/** Progress of a running fit, for `details.progress` of a 409. */
async function progressOf(deps: ApiDeps, { jobId }: IdempotentJob): Promise<object> {
  const candidates = await readProgress(deps.pool, jobId);
  return {
    candidates_scored: candidates.filter(({ status }) => status === 'scored').length,
    candidates: candidates.map(({ method, title, status, balancedAccuracy }) => ({
      method,
      title,
      status,
      balanced_accuracy: balancedAccuracy,
    })),
  };
}

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
  const opened = await openTicket(deps, request, bodyHash, disconnectSignal(reply), (job) => progressOf(deps, job));
  if ('replay' in opened) return sendAnswer(reply, request, opened.replay, { replayed: true });
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
