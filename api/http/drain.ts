import type { FastifyInstance } from 'fastify';
import type { ApiDeps } from '../deps.ts';

/**
 * From when the process is not ready any more until the application has closed, every request that it holds or that comes on an open connection is answered as ever,
 * and its connection ends with the answer, so that closing lasts no longer than the last of them.
 */
export function drainOnClose(app: FastifyInstance, { readiness }: Pick<ApiDeps, 'readiness'>): void {
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.addHook('onSend', async (_request, reply, payload) => {
    if (closing || readiness.draining) reply.header('connection', 'close');
    return payload;
  });
}
