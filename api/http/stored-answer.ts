import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../infra/contract/errors.ts';
import { ObjectMissing } from '../../infra/drivers/objects/object-store.ts';
import { readStored } from '../../infra/records/task-models/models.ts';
import type { StoredAnswer } from '../../infra/records/admission/idempotency.ts';
import type { ApiDeps } from '../deps.ts';
import type { Answer } from './answer.ts';

/** The answer of a create was erased, because its model has ended. */
const erased = (modelId: string, status: string): ApiError =>
  new ApiError(
    'CLASSIFIER_NOT_FOUND',
    `The task model ${modelId} that was created under this Idempotency-Key is ${status}, and its answer was erased; ` +
      'nothing was charged again. To create another model, send the request with a new Idempotency-Key.',
    { field: 'Idempotency-Key', alternatives: [{ 'Idempotency-Key': randomUUID() }], details: { status } },
  );

/**
 * A stored answer with its text. The text of a large answer is in the object store. Throws CLASSIFIER_NOT_FOUND if the
 * answer was erased with its model.
 */
export async function loadAnswer(
  { objects, pool }: Pick<ApiDeps, 'objects' | 'pool'>,
  request: Pick<FastifyRequest, 'reserveAnswer'>,
  stored: StoredAnswer,
): Promise<Answer> {
  if ('erasedWith' in stored)
    throw erased(stored.erasedWith, (await readStored(pool, stored.erasedWith))?.status ?? 'deleted');
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
