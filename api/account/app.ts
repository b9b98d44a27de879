import cookie from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { invalidField } from '../../infra/contract/invalid-request.ts';
import { AccountError } from '../../infra/records/accounts/account-error.ts';
import type { ApiDeps } from '../deps.ts';
import { clientAddress } from '../http/client-address.ts';
import { usualPace } from '../http/collect.ts';
import { acceptSmallBodies, readBodyOf } from './http/body.ts';
import { Downloads } from './http/downloads.ts';
import { requireOwnOrigin } from './http/own-page.ts';
import { requireSession, sessionOf } from './http/session.ts';
import { createTurns } from './http/turns.ts';
import { accountPath, type AccountRoute, type AnonymousRoute, type RouteInput } from './route.ts';

/** Requests of one account, or of one address before sign-in, that are processed at once. */
const atOnce = 4;

/** Headers of every answer: it is not cached, and it is not shown as a page or in a frame. */
const headers = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
} as const;

/** Rules for everything below `/dashboard/api`, including the public interface for sessions. */
export async function guardAccountPages(scope: FastifyInstance): Promise<void> {
  await scope.register(cookie);
  scope.addHook('onRequest', async (request, reply) => {
    reply.headers(headers);
    requireOwnOrigin(request);
  });
}

const texts = (query: unknown): RouteInput<unknown>['query'] =>
  Object.fromEntries(
    Object.entries(query as Record<string, string | string[]>).map(([name, value]) => [name, [value].flat().at(-1)]),
  );

async function answer(
  deps: ApiDeps,
  route: AccountRoute | AnonymousRoute,
  request: FastifyRequest,
  reply: FastifyReply,
  downloads: Downloads,
): Promise<object> {
  const input: RouteInput<unknown> = {
    body: route.body ? readBodyOf(route.body, request.body) : undefined,
    params: request.params as RouteInput<unknown>['params'],
    query: texts(request.query),
    request,
    reply,
    download: (accountId, pieces) => downloads.start(accountId, pieces),
  };
  reply.code(route.status ?? 200);
  try {
    return route.signedIn ? await route.handle(deps, sessionOf(request), input) : await route.handle(deps, input);
  } catch (error) {
    throw error instanceof AccountError ? invalidField(error.field, error.message) : error;
  }
}

/** The routes that the account pages call. The session and the origin are checked before the body is read. */
export async function accountRoutes(
  scope: FastifyInstance,
  routes: readonly (AccountRoute | AnonymousRoute)[],
  deps: ApiDeps,
): Promise<void> {
  const inTurn = createTurns(atOnce);
  const downloads = new Downloads(deps.answers?.pace ?? usualPace);
  await guardAccountPages(scope);
  acceptSmallBodies(scope);
  scope.decorateRequest('session', null);
  for (const route of routes) {
    scope.route({
      method: route.method,
      url: accountPath + route.path,
      onRequest: async (request) => {
        if (route.signedIn) request.session = await inTurn(clientAddress(request), () => requireSession(deps, request));
      },
      handler: (request, reply) =>
        inTurn(request.session?.accountId ?? clientAddress(request), () =>
          answer(deps, route, request, reply, downloads),
        ),
    });
  }
}
