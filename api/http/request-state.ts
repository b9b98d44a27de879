import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

export const newRequestId = (): string => `req_${randomBytes(12).toString('hex')}`;

/** Gives every request its id, answered as X-Request-Id, and its usage note. */
export function prepareRequests(app: FastifyInstance): void {
  app.decorateRequest('usage');
  app.addHook('onRequest', async (request, reply) => {
    request.usage = { windows: 0, microUsd: 0n, code: null, recorded: false };
    reply.header('x-request-id', request.id);
  });
}
