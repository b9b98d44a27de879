import type { FastifyInstance } from 'fastify';
import { mayReadMetrics } from '../../infra/observe/access.ts';
import { exposition, expositionType } from '../../infra/observe/metrics.ts';
import type { ApiDeps } from '../deps.ts';
import { unknownPath } from '../http/errors.ts';
import { isForwarded } from '../http/require-https.ts';

/**
 * `GET /metrics` for operators. A request from an address or with a Host that `access` does not allow is answered like
 * an unknown path, and so is every request through a proxy. Forwarding headers are not trusted here.
 */
export function metricsRoute(app: FastifyInstance, access: Pick<ApiDeps, 'metricsAllow' | 'metricsHosts'>): void {
  app.get('/metrics', async (request, reply) => {
    const asking = { address: request.socket.remoteAddress, host: request.headers.host };
    if (isForwarded(request) || !mayReadMetrics(asking, access)) throw unknownPath(request);
    return await reply
      .header('cache-control', 'no-store')
      .type(expositionType)
      .send(await exposition());
  });
}
