import type { FastifyInstance } from 'fastify';
import { mayReadMetrics } from '../../infra/observe/access.ts';
import { exposition, expositionType } from '../../infra/observe/metrics.ts';
import type { ApiDeps } from '../deps.ts';
import { unknownPath } from '../http/errors.ts';
import { isForwarded } from '../http/require-https.ts';

/**
 * `GET /metrics` for whoever operates the service: who asks from elsewhere than this machine and METRICS_ALLOW is
 * answered as for any unknown path, and so is whatever a proxy passed on. No proxy's word for an address counts here.
 */
export function metricsRoute(app: FastifyInstance, { metricsAllow = [] }: Pick<ApiDeps, 'metricsAllow'>): void {
  app.get('/metrics', async (request, reply) => {
    const known = mayReadMetrics(request.socket.remoteAddress ?? '', metricsAllow);
    if (isForwarded(request) || !known) throw unknownPath(request);
    return await reply
      .header('cache-control', 'no-store')
      .type(expositionType)
      .send(await exposition());
  });
}
