import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify';
import { usualWaits } from './jobs/jobs.ts';
import { createAdmissionQueue } from '../infra/records/admission/admission-queue.ts';
import { accountRoutes, guardAccountPages } from './account/app.ts';
import { bySession } from './account/by-session.ts';
import { accountPath } from './account/route.ts';
import { routes as pageRoutes } from './account/routes/routes.ts';
import { requireShared } from './account/shared.ts';
import type { ApiDeps } from './deps.ts';
import { admitRequests } from './http/admission.ts';
import { boundAnswers } from './http/bound-answers.ts';
import { byKey } from './http/authenticate.ts';
import { acceptBodies } from './http/body.ts';
import { longestUploadSeconds } from './http/collect.ts';
import { errorPage, partsOfErrorPage } from './docs/error-page.ts';
import { asksForPage, sendErrorPage, showErrorsAsPages } from './http/error-pages.ts';
import { answerBrokenHttp, answerErrors, answerUnknownPaths, sendError, toApiError } from './http/errors.ts';
import { observeRequests } from './http/observe.ts';
import { requireHttps } from './http/require-https.ts';
import { newRequestId, noteUsage, type UsageNote } from './http/request.ts';
import { clientPackageRoutes } from './client-packages/serve.ts';
import { accountPages } from './pages/serve.ts';
import { docsRoutes } from './routes/docs.ts';
import { operations, serviceRoutes, v1Routes } from './routes/routes.ts';
import { metricsRoute } from './routes/metrics.ts';
import type { Route } from './routes/route.ts';

function addRoutes(scope: FastifyInstance, routes: readonly Route[], deps: ApiDeps, mount = ''): void {
  for (const { operation, handle } of routes) {
    const { method, path, endpoint, scopes, bodyBytes, whileSuspended, beginsKey, readsReport } = operation;
    const config = { endpoint, scopes: scopes ?? [], bodyBytes, whileSuspended, beginsKey, readsReport, mount };
    scope.route({ method, url: mount + path.replace(/\{(\w+)\}/, ':$1'), config, handler: handle(deps) });
  }
}

/** The public interface, for API keys and, below the account pages, for sessions. */
function serveInterface(v1: FastifyInstance, deps: ApiDeps): void {
  noteUsage(v1);
  answerErrors(v1, deps, (code, request) => {
    // A path without an id is refused before the request has usage data.
    const usage = request.usage as UsageNote | undefined;
    if (usage) usage.code = code;
  });
  requireHttps(v1, deps.requireHttps ?? false);
  acceptBodies(v1, deps.bodies ?? {});
  boundAnswers(v1, deps.answers ?? {});
  const admissions = deps.admissions ?? createAdmissionQueue(deps.pool);
  void v1.register(async (keys) => {
    admitRequests(keys, deps, admissions, byKey);
    addRoutes(keys, v1Routes, deps);
  });
  void v1.register(async (sessions) => {
    await guardAccountPages(sessions);
    admitRequests(sessions, deps, admissions, bySession(deps));
    addRoutes(sessions, v1Routes, deps, accountPath);
  });
}

/**
 * A connection without traffic is closed after this time. It is longer than any answer takes, so it only affects
 * callers that do not read their answer.
 */
const idleMs = 1.5 * usualWaits.answer;

/**
 * Builds the HTTP application. The caller calls `listen` and `close`. Every request gets an id, and every error is an
 * error object. Each scope adds its own routes and hooks.
 */
export function buildApp(deps: ApiDeps): FastifyInstance {
  const options: FastifyServerOptions = {
    genReqId: newRequestId,
    logger: false,
    bodyLimit: Number.MAX_SAFE_INTEGER,
    requestTimeout: longestUploadSeconds * 1000,
    keepAliveTimeout: 75_000,
    connectionTimeout: idleMs,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    trustProxy: deps.trustedProxies.length > 0 ? [...deps.trustedProxies] : false,
    routerOptions: { maxParamLength: 500 },
    clientErrorHandler: answerBrokenHttp,
    frameworkErrors: (error, request, reply) => {
      reply.headers({ 'x-request-id': request.id, vary: 'accept' });
      // Fastify runs no hooks for these errors, such as an address that cannot be decoded.
      const refused = toApiError(error);
      if (asksForPage(request)) sendErrorPage(refused.status, request, reply, errorPage);
      else sendError(refused, request, reply);
    },
  };
  const https = deps.tls && { cert: Buffer.from(deps.tls.cert), key: Buffer.from(deps.tls.key) };
  const app = Fastify(https ? ({ ...options, https } as FastifyServerOptions) : options);
  // An unknown `Expect` header is ignored. Without this handler, Node answers it with an empty 417.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  observeRequests(app, deps);
  app.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id));
  drainOnClose(app, deps);
  showErrorsAsPages(app, errorPage);
  answerErrors(app, deps);
  answerUnknownPaths(app);

  const required = deps.requireHttps ?? false;
  void app.register(async (service) => {
    addRoutes(service, serviceRoutes, deps);
    metricsRoute(service, deps);
  });
  void app.register(async (docs) => {
    requireHttps(docs, required, partsOfErrorPage);
    docsRoutes(docs, operations);
  });
  void app.register(async (pages) => {
    requireHttps(pages, required);
    accountPages(pages, (token, request) => requireShared(deps, token, request));
  });
  void app.register(async (packages) => {
    requireHttps(packages, required);
    clientPackageRoutes(packages);
  });
  void app.register(async (account) => {
    requireHttps(account, required);
    await accountRoutes(account, pageRoutes, deps);
  });
  void app.register(async (v1) => serveInterface(v1, deps));
  return app;
}

/**
 * From the start of the shutdown until the application has closed, requests are answered normally, but each answer
 * closes its connection. So closing waits for the running requests only.
 */
function drainOnClose(app: FastifyInstance, { readiness }: Pick<ApiDeps, 'readiness'>): void {
  let closing = false;
  app.addHook('preClose', async () => {
    closing = true;
  });
  app.addHook('onSend', async (_request, reply, payload) => {
    if (closing || readiness.draining) reply.header('connection', 'close');
    return payload;
  });
}
