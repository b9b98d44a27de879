import type { FastifyReply, FastifyRequest } from 'fastify';
import { requests } from '../../infra/observe/metrics.ts';
import type { ErrorCode } from '../../infra/contract/errors.ts';
import { modelIdForm } from '../../infra/contract/model-id.ts';
import { mountOf } from './request.ts';

/** A rendered answer. It is sent, stored and replayed byte for byte. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  /** When to retry the request. An answer with this field is not stored. */
  readonly retryAfterSeconds?: number;
  /** Path of the resource that the answer is about, without the prefix of the interface. */
  readonly location?: string;
  /** Preferences of the request (RFC 7240) that the answer follows. */
  readonly preferenceApplied?: string;
}

export const answerOf = (status: number, body: object): Answer => ({ status, body: JSON.stringify(body) });

const createdId = new RegExp(`"id":"(${modelIdForm})"`);

/**
 * Sends an answer. A stored error keeps its first request id. An answer with 201 has the address of the task model in
 * `Location`.
 */
export function sendAnswer(
  reply: FastifyReply,
  request: FastifyRequest,
  answer: Answer,
  options: { replayed?: boolean } = {},
): FastifyReply {
  if (options.replayed) {
    request.reserveAnswer(answer.body.length);
    reply.header('idempotent-replayed', 'true');
    requests.replays.inc();
  }
  if (answer.status >= 400) {
    const body = JSON.parse(answer.body) as { code: ErrorCode; details: { request_id: string } };
    request.usage.code = body.code;
    reply.header('x-request-id', body.details.request_id);
  }
  if (answer.status === 201) {
    const id = createdId.exec(answer.body)?.[1];
    if (id) reply.header('location', `${mountOf(request)}/v1/task-models/${id}`);
  }
  if (answer.location !== undefined) reply.header('location', `${mountOf(request)}${answer.location}`);
  if (answer.preferenceApplied !== undefined) reply.header('preference-applied', answer.preferenceApplied);
  if (answer.retryAfterSeconds !== undefined) reply.header('retry-after', String(answer.retryAfterSeconds));
  return reply.code(answer.status).type('application/json; charset=utf-8').send(answer.body);
}
