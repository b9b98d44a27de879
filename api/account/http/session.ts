import type { FastifyRequest } from 'fastify';
import { ApiError } from '../../../infra/contract/errors.ts';
import { findSession } from '../../../infra/records/accounts/sessions.ts';
import type { ApiDeps } from '../../deps.ts';
import type { Session } from '../route.ts';
import { readCookie } from './cookie.ts';
import { requireCsrfToken } from './own-page.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The session; null before it is read, and on routes without sign-in. */
    session: Session | null;
  }
}

export const signedOut = (): ApiError =>
  new ApiError('UNAUTHENTICATED', 'Nobody is signed in, or the session has ended. Sign in at /dashboard.', {
    field: 'Cookie',
    advice: ['Sign in at /dashboard.'],
  });

/** The session token of a request. Throws UNAUTHENTICATED if there is none. */
export function requireToken(request: FastifyRequest): string {
  const token = readCookie(request);
  if (token === null) throw signedOut();
  return token;
}

/** The session of a request. Throws UNAUTHENTICATED without one, SCOPE_MISSING without its CSRF token. */
export async function requireSession(deps: ApiDeps, request: FastifyRequest): Promise<Session> {
  const token = requireToken(request);
  const session = await findSession(deps.pool, token);
  if (!session) throw signedOut();
  requireCsrfToken(deps, request, token);
  return session;
}

/** The session on a route that requires one. */
export function sessionOf({ session }: Pick<FastifyRequest, 'session'>): Session {
  if (!session) throw new Error('The route is open to anybody, so no session was looked for.');
  return session;
}
