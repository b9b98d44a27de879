import type { FastifyInstance } from 'fastify';
import { mayReadMetrics } from '../../infra/observe/access.ts';
import { exposition, expositionType } from '../../infra/observe/metrics.ts';
import type { ApiDeps } from '../deps.ts';
import { clientAddress } from '../http/client-address.ts';
import { unknownPath } from '../http/errors.ts';
import { isForwarded } from '../http/require-https.ts';

/**
 * `GET /metrics` for whoever operates the service: who asks from elsewhere than this machine and METRICS_ALLOW is
 * answered as for any unknown path, and so is what a proxy that is not trusted passes on, whose word for its caller's
 * address does not count.
 */
export function metricsRoute(app: FastifyInstance, { metricsAllow = [] }: Pick<ApiDeps, 'metricsAllow'>): void {
  app.get('/metrics', async (request, reply) => {
    const address = clientAddress(request);
    const hidden = isForwarded(request) && address === clientAddress({ ip: request.socket.remoteAddress ?? '' });
    if (hidden || !mayReadMetrics(address, metricsAllow)) throw unknownPath(request);
    return await reply
      .header('cache-control', 'no-store')
      .type(expositionType)
      .send(await exposition());
  });
}
