import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../infra/contract/errors.ts';
import { invalidField } from '../../infra/contract/invalid-request.ts';
import type { ApiDeps } from '../deps.ts';
import type { Answer } from './answer.ts';
import { replayOf } from './idempotency.ts';
import type { IntakeAccepted, IntakeResult } from '../threads/intake.ts';

const saturated = (load: number): ApiError =>
  new ApiError('POOL_SATURATED', `${load} requests wait for a worker thread of this process.`, {
    retryAfterSeconds: 2,
  });

/** Refuses work when more waits than the threads will do soon. */
export function requireRoom({ threads, queueLimit = 64 }: ApiDeps): void {
  if (threads.load >= queueLimit) throw saturated(threads.load);
}

/**
 * Hands the body's bytes to a thread that reads and checks them. `refusal` is an error that stands whatever the body
 * says; `resampler` the version that the trials go through (absent: the current one). A request that no longer passes,
 * but was answered before under the same key, gets that answer.
 */
export async function readBody(
  deps: ApiDeps,
  request: FastifyRequest,
  what: 'create' | 'batch' | 'predict',
  refusal: ApiError | null = null,
  resampler?: number,
): Promise<{ readonly intake: IntakeAccepted } | { readonly replay: Answer }> {
  requireRoom(deps);
  const body = request.body;
  if (!(body instanceof Uint8Array) || body.length === 0)
    throw refusal ?? invalidField('body', 'The body is empty; send one JSON object.');
  const hash = refusal ? createHash('sha256').update(body).digest('hex') : null;
  const result: IntakeResult | null = refusal
    ? null
    : await deps.threads.intake({ body, what, resampler }).finally(() => request.releaseBody());
  if (result?.ok) return { intake: result };
  const replay = await replayOf(deps, request, hash ?? result!.hash);
  if (replay) return { replay };
  if (refusal) throw refusal;
  const { code, message, field, alternatives, details } = (result as Extract<IntakeResult, { ok: false }>).error;
  throw new ApiError(code, message, { field, alternatives, details });
}
