import Fastify, { type FastifyInstance } from 'fastify';
import type { ApiDeps } from './deps.ts';
import { acceptBodies } from './http/body.ts';
import { admitRequests } from './http/admission.ts';
import { answerBrokenHttp, answerErrors, sendError, toApiError } from './http/errors.ts';
import { newRequestId, prepareRequests } from './http/request-state.ts';
import { docsRoutes } from './routes/docs.ts';
import { createRoute } from './routes/create.ts';
import { fitRoute } from './routes/fit.ts';
import { predictionsRoute } from './routes/predictions.ts';
import { serviceRoutes } from './routes/service.ts';
import { taskModelRoutes } from './routes/task-models.ts';
import { trialsRoute } from './routes/trials.ts';

/** The front door: builds the HTTP application; `listen` and `close` are the caller's. */
export function buildApp(deps: ApiDeps): FastifyInstance {
  const app = Fastify({
    genReqId: newRequestId,
    logger: false,
    bodyLimit: Number.MAX_SAFE_INTEGER,
    requestTimeout: 600_000,
    keepAliveTimeout: 75_000,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 500 },
    clientErrorHandler: answerBrokenHttp,
    frameworkErrors: (error, request, reply) => {
      request.usage = { windows: 0, microUsd: 0n, code: null, recorded: false };
      reply.header('x-request-id', request.id);
      sendError(toApiError(error), request, reply);
    },
  });
  prepareRequests(app);
  answerErrors(app, deps);
  acceptBodies(app);
  admitRequests(app, deps);
  for (const routes of [
    serviceRoutes,
    docsRoutes,
    taskModelRoutes,
    createRoute,
    trialsRoute,
    fitRoute,
    predictionsRoute,
  ])
    routes(app, deps);
  return app;
}
