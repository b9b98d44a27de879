import type { FastifyInstance } from 'fastify';

/**
 * While the application closes, every request that it holds or that comes on an open connection is answered as ever,
 * and its connection ends with the answer, so that closing lasts no longer than the last of them.
 */
export function drainOnClose(app: FastifyInstance): void {
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.addHook('onSend', async (_request, reply, payload) => {
    if (closing) reply.header('connection', 'close');
    return payload;
  });
}
