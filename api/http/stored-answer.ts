import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../infra/contract/errors.ts';
import { ObjectMissing } from '../../infra/drivers/objects/object-store.ts';
import type { StoredAnswer } from '../../infra/records/admission/idempotency.ts';
import type { ApiDeps } from '../deps.ts';
import type { Answer } from './answer.ts';

/** A stored answer with its text. The text of a large answer is in the object store. */
export async function loadAnswer(
  { objects }: Pick<ApiDeps, 'objects'>,
  request: Pick<FastifyRequest, 'reserveAnswer'>,
  stored: StoredAnswer,
): Promise<Answer> {
  if ('body' in stored) return stored;
  request.reserveAnswer(stored.bytes);
  try {
    return { status: stored.status, body: Buffer.from(await objects.get(stored.ref)).toString() };
  } catch (cause) {
    if (!(cause instanceof ObjectMissing)) throw cause;
    throw new ApiError(
      'BACKEND_FAILURE',
      'The stored answer of this Idempotency-Key cannot be read any more; nothing was charged again. Send the request ' +
        'with a fresh key for a new answer.',
      { field: 'Idempotency-Key', cause },
    );
  }
}
